// SPDX-License-Identifier: MIT
// StoreClient: a rank's connection to the store.
#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "distributed/engine/roll_call.h"
#include "distributed/store/connecting.h"
#include "distributed/store/wire.h"

namespace d2l::distributed::detail {

/// Any thread may call its functions, one at a time.
class StoreClient : d2l::detail::NonCopyable {
 public:
  /// Connects to the store as connect_to() does. DistributedError if there is none; ConfigurationError if the store
  /// refuses this rank.
  StoreClient(const StoreAddress& store, int rank, int world_size, std::chrono::milliseconds timeout);
  ~StoreClient();

  void set(const std::string& key, const std::string& value);
  /// Waits until the key has a value; DistributedError with the text `missing` after the timeout.
  std::string get(const std::string& key, const std::string& missing, std::chrono::milliseconds timeout);
  /// Waits until all ranks have joined; DistributedError, which names those that have not, after the timeout.
  void wait_for_all(std::chrono::milliseconds timeout);
  /// Why the group fails: the first rank that died, or what the first rank that failed reported; waits up to `patience`
  /// for it.
  std::optional<std::string> first_cause(std::chrono::milliseconds patience);
  /// The ranks that have left on purpose.
  std::set<int> left();
  /// Says that this rank has waited in vain, and waits for the cause; nullopt if the store has left.
  std::optional<std::string> call_roll(const Stuck& stuck);
  /// Passes a cause on to all ranks, so that they don't name another; returns when the store has sent it back, to rank
  /// 0 after all others, or after half a second.
  void report(const std::string& cause) noexcept;
  /// This rank leaves on purpose.
  void leave() noexcept;
  /// The ranks are connected, and wait no longer.
  void end_notice() { notice_.end(); }
  /// The address of this machine by which the other ranks can reach it: that of the route to the store, or of the
  /// store's route to other machines if the store is on this one.
  [[nodiscard]] std::string local_address();

 private:
  Frame ask(FrameKind kind, const std::string& bytes);
  Frame ask(FrameKind kind, const std::string& bytes, std::chrono::milliseconds timeout);
  /// Waits up to `patience` until there is a cause; the mutex is held.
  void receive_cause(std::chrono::milliseconds patience);
  /// Reads what has arrived, and keeps causes; false at the end of the connection.
  bool receive(std::vector<Frame>& answers);
  void note_end();

  std::mutex mutex_;
  std::string place_;  ///< "host:port"
  std::chrono::milliseconds timeout_;
  WaitNotice notice_;
  Connection connection_;
  FrameReader reader_;
  std::optional<std::string> cause_;
  std::set<int> left_;
  bool ended_ = false;
};

}  // namespace d2l::distributed::detail
