// SPDX-License-Identifier: MIT
// Worker: a thread that runs jobs one after another.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "base/non_copyable.h"
#include "distributed/work.h"

namespace d2l::distributed::detail {

/// The thread starts with the first job.
class Worker : d2l::detail::NonCopyable {
 public:
  Worker() = default;
  /// Ends the jobs that have not begun with an error, and waits for the one that has.
  ~Worker();

  /// Runs `job`, and completes `work` with the error that it throws, if any.
  void add(std::shared_ptr<WorkState> work, std::function<void()> job);

 private:
  struct Job {
    std::shared_ptr<WorkState> work;
    std::function<void()> run;
  };
  void run();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> jobs_;
  bool stopped_ = false;
  std::thread thread_;
};

}  // namespace d2l::distributed::detail
