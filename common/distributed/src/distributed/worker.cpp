// SPDX-License-Identifier: MIT
#include "distributed/worker.h"

#include <algorithm>
#include <exception>
#include <system_error>
#include <utility>

#include "base/message.h"
#include "base/no_pipe_signals.h"

namespace d2l::distributed::detail {

namespace {

/// Whether the jobs of two lanes have a common order.
bool meet(const Lane& a, const Lane& b) {
  return a.kind == b.kind && a.tag == b.tag && (a.peer == b.peer || a.peer < 0 || b.peer < 0);
}

}  // namespace

Worker::~Worker() {
  std::vector<std::shared_ptr<WorkState>> left;
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    for (auto& [lane, jobs] : lanes_) {
      while (!jobs.empty() && !jobs.back().has_begun) {
        left.push_back(std::move(jobs.back().work));
        jobs.pop_back();
      }
    }
    std::erase_if(lanes_, [](const auto& entry) { return entry.second.empty(); });
  }
  changed_.notify_all();
  for (const auto& work : left) {
    work->complete(std::make_exception_ptr(
        DistributedError("[destroy_process_group] the collective had not begun; wait() for it before the group ends")));
  }
  for (auto& thread : threads_) thread.join();  // without jobs that may begin, none is added
}

void Worker::add(const Lane& lane, std::shared_ptr<WorkState> work, std::function<void()> job) {
  const std::lock_guard lock(mutex_);
  std::deque<Job>& jobs = lanes_[lane];
  jobs.push_back({added_++, std::move(work), std::move(job)});
  try {
    wake_thread();
  } catch (...) {  // there is no thread, and none can be started
    jobs.pop_back();
    if (jobs.empty()) lanes_.erase(lane);
    throw;
  }
}

Worker::Lanes::iterator Worker::next() {
  return std::find_if(lanes_.begin(), lanes_.end(), [this](const auto& entry) {
    const Job& first = entry.second.front();
    return !first.has_begun && std::none_of(lanes_.begin(), lanes_.end(), [&](const auto& other) {
      return meet(entry.first, other.first) && other.second.front().number < first.number;
    });
  });
}

void Worker::wake_thread() {
  if (next() == lanes_.end()) return;
  if (idle_ > 0) return changed_.notify_one();
  try {
    threads_.emplace_back([this] { run(); });  // it waits for the mutex first
    ++idle_;
  } catch (const std::system_error&) {
    if (threads_.empty()) throw;
    // The job waits until a thread that is busy is free.
  }
}

void Worker::run() {
  const d2l::detail::NoPipeSignals no_signals;
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stopped_ || next() != lanes_.end(); });
    --idle_;
    const auto lane = next();
    if (lane == lanes_.end()) return;
    Job& job = lane->second.front();
    job.has_begun = true;
    wake_thread();  // there may be more that can begin
    lock.unlock();
    std::exception_ptr error;
    try {
      job.run();
    } catch (...) {
      error = std::current_exception();
    }
    job.run = nullptr;  // before the waiting thread goes on: the job has handles to tensors
    job.work->complete(std::move(error));
    lock.lock();
    lane->second.pop_front();
    if (lane->second.empty()) lanes_.erase(lane);
    ++idle_;
  }
}

}  // namespace d2l::distributed::detail
