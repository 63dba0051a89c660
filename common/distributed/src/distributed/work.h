// SPDX-License-Identifier: MIT
// WorkState: a collective that a thread of its group runs.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>

#include "base/non_copyable.h"

namespace d2l::distributed::detail {

class WorkState : d2l::detail::NonCopyable {
 public:
  /// `finish` is called by the first wait() after the collective has succeeded, in its thread: it writes the results
  /// that are not in their tensors yet.
  explicit WorkState(std::function<void()> finish) : finish_(std::move(finish)) {}

  /// The collective has ended, with an error unless it is null.
  void complete(std::exception_ptr error);
  void wait();
  /// Of a message that has been received: the rank that sent it.
  void set_source(int rank);
  /// That rank, after wait(); -1 if the work does not receive a message.
  [[nodiscard]] int source();
  [[nodiscard]] bool is_completed();

 private:
  std::mutex mutex_;
  std::condition_variable completed_;
  bool done_ = false;
  int source_ = -1;
  std::exception_ptr error_;
  std::mutex finishing_;
  std::function<void()> finish_;
};

}  // namespace d2l::distributed::detail
