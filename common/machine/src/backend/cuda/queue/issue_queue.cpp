// SPDX-License-Identifier: MIT
// Work that waits on the host until it can be added to a stream.
#include "backend/cuda/queue/issue_queue.h"

namespace d2l::backend::cuda {

void IssueQueue::issue_after(std::shared_ptr<Gate> needed, Work work) {
  if (needed->is_open()) {
    issue(work);
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back({std::move(work), std::move(needed), nullptr});
  }
  resume();
}

void IssueQueue::hold() {
  const std::lock_guard lock(mutex_);
  ++holds_;
  holder_ = std::this_thread::get_id();
}

void IssueQueue::release() {
  {
    const std::lock_guard lock(mutex_);
    if (holds_ > 0) --holds_;
  }
  resume();
}

bool IssueQueue::is_held_by_this_thread() const {
  const std::lock_guard lock(mutex_);
  return holds_ > 0 && holder_ == std::this_thread::get_id();
}

bool IssueQueue::is_open() const {
  const std::lock_guard lock(mutex_);
  return holds_ == 0 && waiting_.empty();
}

bool IssueQueue::is_issued() const {
  const std::lock_guard lock(mutex_);
  return waiting_.empty();
}

void IssueQueue::wait_until_issued() const {
  std::unique_lock lock(mutex_);
  emptied_.wait(lock, [this] { return waiting_.empty() && opening_ == 0; });
}

void IssueQueue::resume() {
  // Gates are opened without the lock, because they call resume() of other queues, which may open gates of this queue.
  std::vector<std::shared_ptr<Gate>> gates;
  {
    const std::lock_guard lock(mutex_);
    while (holds_ == 0 && !waiting_.empty()) {
      Item& next = waiting_.front();
      if (next.needed && next.needed->call_when_open([queue = weak_from_this()] {
            if (const auto self = queue.lock()) self->resume();
          })) {
        break;
      }
      run_late_(next.work);
      if (next.issued) gates.push_back(std::move(next.issued));
      waiting_.pop_front();
    }
    ++opening_;
  }
  for (const auto& gate : gates) gate->open();
  const std::lock_guard lock(mutex_);
  if (--opening_ == 0 && waiting_.empty()) emptied_.notify_all();
}

}  // namespace d2l::backend::cuda
