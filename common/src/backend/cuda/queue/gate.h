// SPDX-License-Identifier: MIT
// Gate: opens when a mark is added to its stream; it stays closed while the queue of the mark is held.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

namespace d2l::backend::cuda {

class Gate {
 public:
  [[nodiscard]] bool is_open() const {
    const std::lock_guard lock(mutex_);
    return open_;
  }
  /// The host waits.
  void wait() const {
    std::unique_lock lock(mutex_);
    opened_.wait(lock, [this] { return open_; });
  }
  /// Wakes the waiting threads, and calls the callbacks on this thread.
  void open() {
    std::vector<std::function<void()>> callbacks;
    {
      const std::lock_guard lock(mutex_);
      open_ = true;
      callbacks.swap(callbacks_);
    }
    opened_.notify_all();
    for (const auto& callback : callbacks) callback();
  }
  /// Registers a callback; returns false, without registering it, if the gate is already open.
  bool call_when_open(std::function<void()> callback) {
    const std::lock_guard lock(mutex_);
    if (open_) return false;
    callbacks_.push_back(std::move(callback));
    return true;
  }

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable opened_;
  bool open_ = false;
  std::vector<std::function<void()>> callbacks_;
};

}  // namespace d2l::backend::cuda
