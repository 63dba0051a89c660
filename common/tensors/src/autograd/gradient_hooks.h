// SPDX-License-Identifier: MIT
// Hooks: functions that backward() calls as soon as the gradient of a leaf is complete.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "base/non_copyable.h"
#include "core/tensor_impl.h"

namespace d2l::detail {

/// A hook of a leaf, removed by the destructor.
class GradientHookHandle : NonCopyable {
 public:
  GradientHookHandle(const Tensor& leaf, GradientHook hook)
      : leaf_(leaf), hook_(std::make_shared<const GradientHook>(std::move(hook))) {
    leaf_.impl()->gradient_hooks.push_back(hook_);
    ++gradient_hook_count;
  }
  ~GradientHookHandle() {
    std::erase(leaf_.impl()->gradient_hooks, hook_);
    --gradient_hook_count;
  }

 private:
  Tensor leaf_;
  std::shared_ptr<const GradientHook> hook_;
};

/// Whether this thread is inside backward() or autograd::grad().
[[nodiscard]] bool is_going_backward() noexcept;
/// Calls `act` when the backward() or autograd::grad() of this thread, the outermost one, ends; after an error, never.
void call_after_backward(std::function<void()> act);

}  // namespace d2l::detail
