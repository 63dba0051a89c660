// SPDX-License-Identifier: MIT
// Servers on one machine: network namespaces that a slow link joins.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/descriptor.h"

namespace d2l::launch {

/// Network namespaces 10.77.0.1, 10.77.0.2 …. They are made whole or not at all by a process of their own, which ends
/// before the constructor returns; this process never leaves its own namespaces. What remains are file descriptors of
/// this process: with the last of them, and of the ranks in the servers, the namespaces go, however this process ends.
/// They need no root where the system allows user namespaces.
class Servers {
 public:
  /// Makes `count` servers, each of which sends at most this many bytes per second; any number if it is 0. Problem,
  /// with the reason and what to do, if that fails.
  Servers(int count, double bytes_per_second);

  /// The address of server 0.
  [[nodiscard]] static std::string master_addr() { return "10.77.0.1"; }
  /// Moves the calling process, which must have one thread, into a server; exits with 2 if that fails. In that process
  /// this object is empty afterwards.
  void enter(int server);

 private:
  std::vector<d2l::detail::Descriptor> spaces_;  ///< of the servers, of their switch, and of the user last
  bool has_user_ = false;
};

}  // namespace d2l::launch
