// SPDX-License-Identifier: MIT
// The connection of a rank to the store of rank 0, and how long it waits for it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "distributed/store/wire.h"

namespace d2l::distributed::detail {

/// How long a rank waits for a process of its own machine that nothing watches.
inline constexpr std::chrono::milliseconds local_patience = std::chrono::seconds(5);
/// After which time a rank that waits says on standard error what it waits for.
inline constexpr std::chrono::milliseconds until_notice = std::chrono::seconds(5);

/// Says once, on standard error, what a rank waits for, if it still waits then. A thread does that: looking up a host
/// can take longer.
class WaitNotice : d2l::detail::NonCopyable {
 public:
  /// For a rank that waits from now on for the timeout, first for `what`.
  WaitNotice(int rank, std::chrono::milliseconds timeout, std::string what);
  ~WaitNotice() { end(); }
  /// It waits for this now.
  void update(const std::string& what);
  /// It waits no longer.
  void end();

 private:
  void run(int rank, std::chrono::milliseconds timeout);

  std::mutex mutex_;
  std::condition_variable ended_;
  std::string what_;
  bool is_waiting_ = true;
  std::thread thread_;
};

/// Where the store is.
struct StoreAddress {
  std::string host;
  int port = 0;
  /// A launcher ends this rank if rank 0 ends without having joined, so that waiting for it ends.
  bool is_watched = false;
};

struct Connection {
  Socket socket;
  bool is_local = false;  ///< to this machine
};

/// Connects to the store, and tries until the timeout. DistributedError, with the cause, if there is none. A rank does
/// not wait that long for what no waiting mends: 5 s if the host is not known, or if nothing listens on this machine
/// and no launcher watches rank 0; 1 s if this machine has no route to itself.
Connection connect_to(const StoreAddress& store, std::chrono::milliseconds timeout, WaitNotice& notice);

}  // namespace d2l::distributed::detail
