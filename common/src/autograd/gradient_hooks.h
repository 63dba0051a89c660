// SPDX-License-Identifier: MIT
// Hooks: functions that backward() calls as soon as the gradient of a leaf is complete.
#pragma once

#include "base/non_copyable.h"
#include "core/tensor_impl.h"

namespace d2l::detail {

/// The hook of a leaf, which has at most one; removed by the destructor.
class GradientHookHandle : NonCopyable {
 public:
  GradientHookHandle(const Tensor& leaf, GradientHook hook) : leaf_(leaf) {
    leaf_.impl()->gradient_hook = std::make_shared<const GradientHook>(std::move(hook));
    ++hooked_leaves;
  }
  ~GradientHookHandle() {
    leaf_.impl()->gradient_hook = nullptr;
    --hooked_leaves;
  }

 private:
  Tensor leaf_;
};

}  // namespace d2l::detail
