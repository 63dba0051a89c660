// SPDX-License-Identifier: MIT
// Clique: the ranks of a communicator, and their calls that belong together. As NCCL's, a call waits in its stream
// until the streams of all ranks have come to theirs; the last one computes the results.
#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "nccl/call.h"

namespace d2l::emulator::nccl {

/// Calls that belong together: one of each rank, or a send and a receive.
struct Meeting {
  std::vector<std::optional<Call>> calls;
  std::vector<int> ranks;  ///< that it has calls of
  std::size_t issued = 0, arrived = 0;
  std::vector<bool> is_here;  ///< whose stream has come to the call
  bool done = false;
  std::string failure;  ///< why it never ends
};

class Clique {
 public:
  explicit Clique(int size);

  [[nodiscard]] int size() const { return static_cast<int>(devices_.size()); }
  /// Adds a rank; a text, if it is there, or another one has its device and `one_each` is set.
  std::string join(int rank, int device, bool one_each);
  /// Waits for all ranks. A text, if they never come.
  std::string wait_for_ranks(const CallSite& site, int rank);

  /// A call of a rank in a meeting: what becomes of it is said by the streams.
  struct Part {
    std::shared_ptr<Clique> clique;
    std::shared_ptr<Meeting> meeting;
    std::size_t number = 0;  ///< of the call in the meeting
    int rank = 0;
  };
  /// Adds a call of a rank; a text in the meeting, if it does not fit the calls of others.
  static Part issue(const std::shared_ptr<Clique>& clique, int rank, const Call& call);
  /// The stream of a rank has come to its call: the last one computes.
  static void arrive(const Part& part);
  /// The stream of a rank will never come to its call.
  static void leave(const Part& part);
  /// Waits until it is done. Throws LibraryFault if it never is.
  static void wait(const Part& part);

  /// The rank does not wait any longer.
  void abort(int rank);
  /// True if a rank waits for calls of others, or if one has not joined.
  [[nodiscard]] bool is_waiting(int rank);
  /// Why a call has failed; empty if none has.
  [[nodiscard]] std::string failure();

 private:
  [[nodiscard]] std::string what_is_missing(const Part& part);
  [[nodiscard]] std::string missing_ranks();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<int> devices_;  ///< by rank; -1: has not joined
  std::vector<bool> aborted_;
  std::string failure_;
  std::vector<std::size_t> calls_;                 ///< how many collective ones each rank has issued
  std::deque<std::shared_ptr<Meeting>> meetings_;  ///< those that not all have called, after the first ones
  std::size_t ended_ = 0;                          ///< the first ones
  std::map<std::pair<int, int>, std::deque<std::shared_ptr<Meeting>>> messages_;  ///< by sender and receiver
};

}  // namespace d2l::emulator::nccl
