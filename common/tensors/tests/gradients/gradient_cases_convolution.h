// SPDX-License-Identifier: MIT
// Gradient cases of convolutions.
#pragma once

#include "gradients/gradient_checks.h"

namespace d2l::testing::gradients {

inline std::vector<Case> convolution_cases() {
  const Input x{{2, 4, 5, 4}};
  const Input w{{6, 4, 3, 2}};
  const Input grouped{{6, 2, 3, 2}};
  const Input b{{6}};
  const auto with = [](std::vector<std::int64_t> stride, std::vector<std::int64_t> padding,
                       std::vector<std::int64_t> dilation, std::int64_t groups) {
    return [=](const Tensors& t) {
      return conv2d(t[0], t[1], t.size() > 2 ? t[2] : Tensor(), stride, padding, dilation, groups);
    };
  };
  const char* const name = "ConvolutionBackward0";
  return {
      {name, "", {x, w, b}, with({1}, {0}, {1}, 1)},
      {name, "without bias", {x, w}, with({1}, {1, 2}, {1}, 1)},
      {name, "stride, padding and dilation", {x, w, b}, with({2, 1}, {2, 0}, {2, 3}, 1)},
      {name, "groups", {x, grouped, b}, with({1, 2}, {1}, {1}, 2)},
      {name,
       "other layouts",
       {{x.sizes, any, reversed}, {w.sizes, any, reversed}, {{6}, any, strided}},
       with({1}, {0}, {1}, 1)},
      {name,
       "float32",
       {{x.sizes, any, row_major, kFloat}, {w.sizes, any, row_major, kFloat}, {{6}, any, row_major, kFloat}},
       with({1}, {0}, {1}, 1)},
      {name, "one image", {{{4, 5, 4}}, w, b}, with({1}, {0}, {1}, 1)},
      {name, "a kernel of one element", {x, {{3, 4, 1, 1}}, {{3}}}, with({1}, {0}, {1}, 1)},
      {name, "the same size", {x, w, b}, [](const Tensors& t) { return conv2d(t[0], t[1], t[2], 1, "same"); }},
      {name, "a broadcast gradient", {x, w}, [](const Tensors& t) { return conv2d(t[0], t[1]).sum(); }},
      {name, "by itself", {{{1, 1, 4, 4}}}, [](const Tensors& t) { return conv2d(t[0], t[0], {}, 1, 1); }},
  };
}

}  // namespace d2l::testing::gradients
