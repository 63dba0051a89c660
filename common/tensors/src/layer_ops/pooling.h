// SPDX-License-Identifier: MIT
// The windows of poolings as their records keep them, and the gradients of poolings.
#pragma once

#include <cstdint>
#include <vector>

#include "backend/kernel.h"
#include "core/tensor_impl.h"

namespace d2l::detail {

/// The windows of a pooling, and what an average is divided by; see KernelArguments.
struct PoolingOptions {
  backend::Window window{};
  bool counts_padding = false;
  std::int64_t divisor = 0;
};

/// The options as a list of integers.
std::vector<std::int64_t> packed(const PoolingOptions& options);
/// The options of such a list.
PoolingOptions unpacked(const std::vector<std::int64_t>& list);

///@{
/// The gradient of an image of shape `sizes`, where `grad` is that of its pooling. max_pool2d: `indices` are its second
/// result. adaptive_avg_pool2d: ShapeError for a gradient without elements.
Tensor max_pool2d_gradient(const Tensor& grad, const Tensor& indices, const Dimensions& sizes,
                           const PoolingOptions& options);
Tensor avg_pool2d_gradient(const Tensor& grad, const Dimensions& sizes, const PoolingOptions& options);
Tensor adaptive_avg_pool2d_gradient(const Tensor& grad, const Dimensions& sizes);
///@}

}  // namespace d2l::detail
