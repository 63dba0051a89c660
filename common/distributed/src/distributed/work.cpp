// SPDX-License-Identifier: MIT
#include "distributed/work.h"

#include <utility>

#include "base/message.h"
#include "d2l/distributed/work.h"

namespace d2l::distributed {

namespace detail {

void WorkState::complete(std::exception_ptr error) {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
    error_ = std::move(error);
  }
  completed_.notify_all();
}

void WorkState::wait() {
  {
    std::unique_lock lock(mutex_);
    completed_.wait(lock, [this] { return done_; });
    if (error_) std::rethrow_exception(error_);
  }
  const std::lock_guard lock(finishing_);
  if (const auto finish = std::exchange(finish_, nullptr)) finish();
}

void WorkState::set_source(int rank) {
  const std::lock_guard lock(mutex_);
  source_ = rank;
}

int WorkState::source() {
  wait();
  const std::lock_guard lock(mutex_);
  return source_;
}

bool WorkState::is_completed() {
  const std::lock_guard lock(mutex_);
  return done_;
}

}  // namespace detail

void Work::wait() const {
  if (state_ != nullptr) state_->wait();
}

int Work::source_rank() const {
  const int rank = state_ == nullptr ? -1 : state_->source();
  if (rank < 0)
    d2l::detail::fail<ValueError>("source_rank", "this work does not receive a message", {},
                                  "call it on the Work of recv()");
  return rank;
}

bool Work::is_completed() const { return state_ == nullptr || state_->is_completed(); }

}  // namespace d2l::distributed
