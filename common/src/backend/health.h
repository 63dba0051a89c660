// SPDX-License-Identifier: MIT
// Health: whether a device works, has a fault in its queue that is not yet reported, or is lost.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "d2l/error.h"

namespace d2l::backend {

class Health {
 public:
  explicit Health(std::string name) : name_(std::move(name)) {}

  /// "cuda:0".
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  /// True if the device must receive no more work, whether or not the fault has been reported.
  [[nodiscard]] bool faulty() const noexcept { return state_.load(std::memory_order_acquire) != State::well; }

  /// FatalDeviceError with the reason if the device is lost; `operation` is the name of the attempted operation.
  void require(const char* operation) const {
    if (state_.load(std::memory_order_acquire) != State::lost) return;
    throw FatalDeviceError("[" + std::string(operation) + "] " + reason() + ". " + name_ +
                           " is lost until the process ends; other devices still work");
  }
  /// Records a fault in the queue, which the next synchronisation reports. The first reason is kept.
  void fault(std::string_view reason) noexcept { change(State::faulty, reason); }
  /// Records that the device is lost. The first reason is kept.
  void lose(std::string_view reason) noexcept { change(State::lost, reason); }
  /// Called by a synchronisation: after a fault in the queue the device is lost, and FatalDeviceError is thrown.
  void surface(const char* operation) {
    if (!faulty()) return;
    change(State::lost, "");
    require(operation);
  }

 private:
  enum class State : std::int8_t { well, faulty, lost };

  void change(State state, std::string_view reason) noexcept {
    const std::lock_guard lock(mutex_);
    try {
      if (state_.load(std::memory_order_relaxed) == State::well) reason_ = reason;
    } catch (const std::exception&) {
      reason_ = "out of memory";  // short enough for a string that allocates nothing
    }
    if (state > state_.load(std::memory_order_relaxed)) state_.store(state, std::memory_order_release);
  }
  [[nodiscard]] std::string reason() const {
    const std::lock_guard lock(mutex_);
    return reason_;
  }

  std::string name_;
  std::atomic<State> state_{State::well};
  mutable std::mutex mutex_;
  std::string reason_;
};

}  // namespace d2l::backend
