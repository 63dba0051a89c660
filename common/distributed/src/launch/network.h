// SPDX-License-Identifier: MIT
// The links between network namespaces, made by netlink.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "launch/refusal.h"

struct nl_sock;

namespace d2l::launch {

/// A step that the kernel has refused.
struct Failure {
  Step step = Step::link;
  int error = 0;  ///< of errno.h
  std::string attempted = {};
};

/// An empty network: a namespace of this process's making, and a connection to its settings.
class Network {
 public:
  /// Moves the calling thread into a new network namespace.
  Network();
  Network(Network&&) noexcept;
  Network& operator=(Network&&) = delete;
  ~Network();

  /// What was refused, if anything.
  [[nodiscard]] const std::optional<Failure>& failure() const { return failure_; }
  [[nodiscard]] d2l::detail::Descriptor& space() { return space_; }

  /// A pair of network devices, one here and one in `other`; both are down.
  bool add_cable(const std::string& here, Network& other, const std::string& there);
  /// A switch with the name, up.
  bool add_switch(const std::string& name);
  /// Sets a device up, as a port of the device `controller` unless that is empty.
  bool set_up(const std::string& device, const std::string& controller = {});
  /// Gives a device an address, such as "10.77.0.1/24" or "fd00::1/64".
  bool add_address(const std::string& device, const std::string& address);
  /// Limits what a device sends by a token bucket of 128 KiB, with a queue of 20 ms.
  bool limit(const std::string& device, double bytes_per_second);

 private:
  /// Notes a failure, if the result of libnl is one; whether it is none.
  bool noted(int result, Step step, const std::string& attempted);
  [[nodiscard]] int index_of(const std::string& device);

  d2l::detail::Descriptor space_;
  nl_sock* socket_ = nullptr;
  std::optional<Failure> failure_;
};

/// Joins servers, by a cable if there are two, else by a switch in the namespace that is added to the list. Server i
/// gets the device d2l0 with the address 10.77.0.(i + 1), whose rate is limited unless it is 0. The first failure, if
/// there is one.
std::optional<Failure> join_servers(int count, double bytes_per_second, std::vector<Network>& made);

}  // namespace d2l::launch
