// SPDX-License-Identifier: MIT
// Cases of derivatives: poolings.
#pragma once

#include <vector>

#include "gradients/gradient_checks.h"

namespace d2l::testing::gradients {

inline std::vector<Case> pooling_cases() {
  const Input batch{{2, 2, 5, 4}};
  const Input turned{{2, 1, 6, 5}, any, reversed};
  const Input image{{2, 5, 5}, any, strided};
  const Input single{{1, 1, 4, 4}, any, row_major, kFloat};
  return {
      {"MaxPool2DWithIndicesBackward0", "", {batch}, [](const Tensors& t) { return max_pool2d(t[0], 2); }},
      {"MaxPool2DWithIndicesBackward0",
       "overlapping",
       {turned},
       [](const Tensors& t) {
         return max_pool2d(t[0], {3, 2}, {2, 1}, {1, 1}, 1, true);
       }},
      {"MaxPool2DWithIndicesBackward0",
       "dilated",
       {image},
       [](const Tensors& t) { return max_pool2d(t[0], 2, 1, 1, 3); }},
      {"MaxPool2DWithIndicesBackward0", "float32", {single}, [](const Tensors& t) { return max_pool2d(t[0], 3, 1); }},
      {"MaxPool2DWithIndicesBackward0",
       "with indices",
       {image},
       [](const Tensors& t) { return std::get<0>(max_pool2d_with_indices(t[0], 3, 2)); }},
      {"AvgPool2DBackward0", "", {batch}, [](const Tensors& t) { return avg_pool2d(t[0], 2); }},
      {"AvgPool2DBackward0",
       "padding",
       {turned},
       [](const Tensors& t) {
         return avg_pool2d(t[0], {3, 2}, {2, 1}, 1, true);
       }},
      {"AvgPool2DBackward0",
       "padding that does not count",
       {image},
       [](const Tensors& t) { return avg_pool2d(t[0], 3, 2, 1, false, false); }},
      {"AvgPool2DBackward0",
       "a divisor",
       {single},
       [](const Tensors& t) { return avg_pool2d(t[0], 2, 1, 0, false, true, 3); }},
      {"AdaptiveAvgPool2DBackward0",
       "",
       {batch},
       [](const Tensors& t) {
         return adaptive_avg_pool2d(t[0], {2, 3});
       }},
      {"AdaptiveAvgPool2DBackward0",
       "more windows than elements",
       {turned},
       [](const Tensors& t) {
         return adaptive_avg_pool2d(t[0], {8, 1});
       }},
      {"AdaptiveAvgPool2DBackward0",
       "float32",
       {single},
       [](const Tensors& t) {
         return adaptive_avg_pool2d(t[0], {3, 3});
       }},
      {"MeanBackward1",
       "of one window",
       {image},
       [](const Tensors& t) {
         return adaptive_avg_pool2d(t[0], {1, 1});
       }},
  };
}

}  // namespace d2l::testing::gradients
