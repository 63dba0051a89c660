// SPDX-License-Identifier: MIT
/// @file
/// Work: a collective that was begun, and may not be done yet.
#pragma once

#include <memory>
#include <utility>

namespace d2l::distributed {

namespace detail {
class WorkState;
}

/// A collective that was begun. Its tensors must not be used before wait() has returned. A copy is the same work; when
/// the last copy is destroyed, the collective still ends.
class [[nodiscard]] Work {
 public:
  /// Work that is done.
  Work() = default;
  /// For the sources of the library.
  explicit Work(std::shared_ptr<detail::WorkState> state) noexcept : state_(std::move(state)) {}

  /// The host waits until the tensors may be used: by the host if they are on the CPU, by later work in the queues of
  /// their devices if they are on GPUs. DistributedError if a rank has died, has not called the collective within the
  /// timeout, or called another one; each call throws it again.
  void wait() const;
  /// Waits as wait() does, and returns the sender's rank in the group. ValueError unless the work is that of recv().
  [[nodiscard]] int source_rank() const;
  /// Whether wait() would return, or throw, at once.
  [[nodiscard]] bool is_completed() const;

 private:
  std::shared_ptr<detail::WorkState> state_;
};

}  // namespace d2l::distributed
