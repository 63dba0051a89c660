// SPDX-License-Identifier: MIT
// Worker: threads that run the jobs of a group.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <tuple>
#include <vector>

#include "base/non_copyable.h"
#include "distributed/work.h"

namespace d2l::distributed::detail {

/// Jobs that must keep their order: all collectives of a group; the messages to a rank with a tag; the messages from a
/// rank, or from any, with a tag.
struct Lane {
  enum class Kind : std::int8_t { collective, send, receive };
  Kind kind = Kind::collective;
  int peer = 0;  ///< -1 for any
  int tag = 0;

  bool operator<(const Lane& other) const {
    return std::tie(kind, peer, tag) < std::tie(other.kind, other.peer, other.tag);
  }
};

/// Runs the jobs of one lane one after another, and those of different lanes beside each other. A message from any rank
/// may be one from each, so these lanes have a common order. A thread starts when there is a job and all others are
/// busy.
class Worker : d2l::detail::NonCopyable {
 public:
  Worker() = default;
  /// Ends the jobs that have not begun with an error, and waits for those that have.
  ~Worker();

  /// Runs `job`, and completes `work` with the error that it throws, if any.
  void add(const Lane& lane, std::shared_ptr<WorkState> work, std::function<void()> job);

 private:
  struct Job {
    std::int64_t number;  ///< in the order of add()
    std::shared_ptr<WorkState> work;
    std::function<void()> run;
    bool has_begun = false;
  };
  /// The first job of a lane stays there until it has ended.
  using Lanes = std::map<Lane, std::deque<Job>>;

  void run();
  /// A lane whose first job may begin; the end of the lanes if there is none. The mutex is held.
  Lanes::iterator next();
  /// Finds a thread for the next job; the mutex is held.
  void wake_thread();

  std::mutex mutex_;
  std::condition_variable changed_;
  Lanes lanes_;
  std::int64_t added_ = 0;
  std::size_t idle_ = 0;  ///< threads that wait for a job, or start
  bool stopped_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace d2l::distributed::detail
