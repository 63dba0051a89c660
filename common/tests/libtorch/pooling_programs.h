// SPDX-License-Identifier: MIT
// Programs of poolings, in the names that this library and LibTorch share.
#pragma once

#include <tuple>

#include "training_programs.h"

namespace programs {

inline Values poolings() {
  const auto x = t::arange(168.0).reshape({2, 2, 6, 7}).mul(0.7).sin();
  const auto [values, indices] = t::max_pool2d_with_indices(x, 2);
  Values all = noted(values, indices, t::max_pool2d(x, {3, 2}, {2, 1}), t::max_pool2d(x[0], 3, 2, 1, 1, true),
                     t::max_pool2d(x, 2, 1, 1, 3), t::avg_pool2d(x, 2), t::avg_pool2d(x, {3, 2}, {2, 1}, 1, true),
                     t::avg_pool2d(x, 3, 2, 1, true, false), t::avg_pool2d(x[0], 2, 1, 0, false, true, 3),
                     t::adaptive_avg_pool2d(x, {4, 3}), t::adaptive_avg_pool2d(x[0], {1, 1}));
  for (const auto& y : {t::max_pool2d(x.slice(0, 0, 0), 2), t::avg_pool2d(x.slice(0, 0, 0), 2)})
    note(all, y.sizes().vec());
  return all;
}

inline Values gradients_of_poolings() {
  auto x = leaf(t::arange(60.0).reshape({1, 2, 6, 5}).mul(0.7).sin());
  Values values;
  note_gradients(
      values,
      {t::max_pool2d(x, 2), t::max_pool2d(x, 3, 1, 1), t::avg_pool2d(x, 2), t::avg_pool2d(x, 3, 2, 1, true),
       t::avg_pool2d(x, 3, 2, 1, true, false), t::adaptive_avg_pool2d(x, {4, 3}), t::adaptive_avg_pool2d(x, {1, 1})},
      x);
  return values;
}

inline Values layers_of_poolings() {
  namespace F = t::nn::functional;
  const auto x = t::arange(84.0).reshape({1, 2, 6, 7}).mul(0.7).sin();
  t::nn::MaxPool2d largest(t::nn::MaxPool2dOptions({3, 2}).stride({2, 1}).padding({1, 1}).dilation(2).ceil_mode(true));
  t::nn::AvgPool2d average(
      t::nn::AvgPool2dOptions(3).stride(2).padding(1).ceil_mode(true).count_include_pad(false).divisor_override(4));
  t::nn::AdaptiveAvgPool2d adaptive(t::nn::AdaptiveAvgPool2dOptions({3, 4}));
  Values values = noted(largest(x), std::get<1>(largest->forward_with_indices(x)), average(x), adaptive(x),
                        t::nn::MaxPool2d(2)(x), t::nn::AvgPool2d(2)(x), t::nn::AdaptiveAvgPool2d(2)(x),
                        F::max_pool2d(x, F::MaxPool2dFuncOptions(2).stride(1)),
                        std::get<1>(F::max_pool2d_with_indices(x, F::MaxPool2dFuncOptions(3))),
                        F::avg_pool2d(x, F::AvgPool2dFuncOptions({2, 3}).padding(1)),
                        F::adaptive_avg_pool2d(x, F::AdaptiveAvgPool2dFuncOptions(5)));
  note(values, (*largest->options.kernel_size())[0], (*average->options.stride())[1], average->options.ceil_mode());
  return values;
}

}  // namespace programs
