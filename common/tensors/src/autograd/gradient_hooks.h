// SPDX-License-Identifier: MIT
// Hooks: functions that backward() calls as soon as the gradient of a leaf is complete.
#pragma once

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

}  // namespace d2l::detail
