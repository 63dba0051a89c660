// SPDX-License-Identifier: MIT
// Broadcasting: the shape that two tensors share.
#include "ops/broadcasting.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/messages.h"

namespace d2l::detail {

Dimensions broadcast_shapes(const TensorImpl& a, const TensorImpl& b, const char* operation) {
  Dimensions shape;
  shape.count = std::max(a.sizes.count, b.sizes.count);
  for (int i = shape.count - 1; i >= 0; --i) {
    const int in_a = i - (shape.count - a.sizes.count);
    const int in_b = i - (shape.count - b.sizes.count);
    const std::int64_t size_a = in_a < 0 ? 1 : a.sizes[in_a];
    const std::int64_t size_b = in_b < 0 ? 1 : b.sizes[in_b];
    if (size_a != size_b && size_a != 1 && size_b != 1) {
      fail<ShapeError>(operation,
                       fmt::format("The size of tensor a ({}) must match the size of tensor b ({}) at non-singleton "
                                   "dimension {}",
                                   size_a, size_b, i),
                       operands({{"a", &a}, {"b", &b}}), "sizes broadcast when they are equal, or one of them is 1");
    }
    shape[i] = size_a == 1 ? size_b : size_a;
  }
  return shape;
}

}  // namespace d2l::detail
