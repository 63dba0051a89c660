// SPDX-License-Identifier: MIT
#include "distributed/worker.h"

#include <utility>

#include "base/message.h"
#include "base/no_pipe_signals.h"

namespace d2l::distributed::detail {

Worker::~Worker() {
  std::deque<Job> left;
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    left.swap(jobs_);
  }
  changed_.notify_all();
  for (const Job& job : left) {
    job.work->complete(std::make_exception_ptr(
        DistributedError("[destroy_process_group] the collective had not begun; wait() for it before the group ends")));
  }
  if (thread_.joinable()) thread_.join();
}

void Worker::add(std::shared_ptr<WorkState> work, std::function<void()> job) {
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back({std::move(work), std::move(job)});
    if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
  }
  changed_.notify_one();
}

void Worker::run() {
  const d2l::detail::NoPipeSignals no_signals;
  while (true) {
    Job job;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return stopped_ || !jobs_.empty(); });
      if (jobs_.empty()) return;
      job = std::move(jobs_.front());
      jobs_.pop_front();
    }
    std::exception_ptr error;
    try {
      job.run();
    } catch (...) {
      error = std::current_exception();
    }
    job.run = nullptr;  // before the waiting thread goes on: the job has handles to tensors
    job.work->complete(std::move(error));
  }
}

}  // namespace d2l::distributed::detail
