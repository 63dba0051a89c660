// SPDX-License-Identifier: MIT
// Health: whether a device works, has a fault in its queue that is not yet reported, or is lost.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "d2l/error.h"

namespace d2l::backend {

class Health;

/// The devices that share the context of one card: a fatal error of the context loses them all.
class SharedContext {
 public:
  void add(Health& device) {
    const std::lock_guard lock(mutex_);
    devices_.push_back(&device);
  }
  void remove(Health& device) noexcept {
    const std::lock_guard lock(mutex_);
    devices_.erase(std::remove(devices_.begin(), devices_.end(), &device), devices_.end());
  }
  inline void lose(std::string_view reason) noexcept;

 private:
  std::mutex mutex_;
  std::vector<Health*> devices_;
};

class Health {
 public:
  /// `context` is null for a device with a context of its own.
  explicit Health(std::string name, std::shared_ptr<SharedContext> context = nullptr)
      : name_(std::move(name)), context_(std::move(context)) {
    if (context_) context_->add(*this);
  }
  ~Health() {
    if (context_) context_->remove(*this);
  }
  Health(const Health&) = delete;
  Health& operator=(const Health&) = delete;

  /// "cuda:0".
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  /// True if the device must receive no more work, whether or not the fault has been reported.
  [[nodiscard]] bool faulty() const noexcept { return state_.load(std::memory_order_acquire) != State::well; }

  /// FatalDeviceError with the reason if the device is lost; `operation` is the name of the attempted operation.
  void require(const char* operation) const {
    if (state_.load(std::memory_order_acquire) != State::lost) return;
    throw FatalDeviceError("[" + std::string(operation) + "] " + reason() + ". " + name_ +
                           " is lost until the process ends" +
                           (lost_with_context_.load() ? ", as is every slice of its card; other cards still work"
                                                      : "; other devices still work"));
  }
  /// Records a fault in the queue, which the next synchronisation reports. The first reason is kept.
  void fault(std::string_view reason) noexcept { change(State::faulty, reason); }
  /// Records that the device is lost, and every device that shares its context. The first reason is kept.
  void lose(std::string_view reason) noexcept { context_ ? context_->lose(reason) : change(State::lost, reason); }
  /// Called by a synchronisation: after a fault in the queue the device is lost, and FatalDeviceError is thrown.
  void surface(const char* operation) {
    if (!faulty()) return;
    change(State::lost, "");
    require(operation);
  }

 private:
  friend class SharedContext;
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
  std::shared_ptr<SharedContext> context_;
  std::atomic<State> state_{State::well};
  std::atomic<bool> lost_with_context_{false};
  mutable std::mutex mutex_;
  std::string reason_;
};

inline void SharedContext::lose(std::string_view reason) noexcept {
  const std::lock_guard lock(mutex_);
  for (Health* device : devices_) {
    if (devices_.size() > 1) device->lost_with_context_ = true;
    device->change(Health::State::lost, reason);
  }
}

}  // namespace d2l::backend
