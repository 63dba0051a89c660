// SPDX-License-Identifier: MIT
// Programs with convolutions.
#pragma once

#include "training_programs.h"

namespace programs {

/// Numbers of a shape that differ, with both signs.
inline t::Tensor convolved_numbers(const std::vector<std::int64_t>& sizes) {
  std::int64_t count = 1;
  for (const auto size : sizes) count *= size;
  return (t::arange(static_cast<double>(count)) * 7 % 11 - 5).reshape(sizes) * 0.25;
}

inline Values convolutions() {
  auto x = leaf(convolved_numbers({2, 4, 6, 5}));
  auto w = leaf(convolved_numbers({6, 4, 3, 2}));
  auto half = leaf(convolved_numbers({6, 2, 3, 2}));
  auto b = leaf(convolved_numbers({6}));
  namespace F = t::nn::functional;
  Values values;
  note_gradients(values, {t::conv2d(x, w)}, x, w);
  note_gradients(values, {t::conv2d(x, w, b, 2)}, x, w, b);
  note_gradients(values, {t::conv2d(x, w, b, {2, 1}, {1, 2})}, x, w, b);
  note_gradients(values, {t::conv2d(x, half, b, 1, 1, 2, 2)}, x, half, b);
  note_gradients(values, {t::conv2d(x, w, b, 1, "same")}, x, w, b);
  note_gradients(values, {t::conv2d(x[1], w, b)}, x, w, b);
  note_gradients(values, {F::conv2d(x, w, F::Conv2dFuncOptions().bias(b).stride(2).padding(1))}, x, w, b);
  note_gradients(values, {F::conv2d(x, half, F::Conv2dFuncOptions().groups(2).dilation({2, 1}))}, x, half);
  return values;
}

inline Values convolutional_layers() {
  t::nn::Conv2d first(t::nn::Conv2dOptions(2, 4, {3, 2}).stride(2).padding(1).bias(true));
  t::nn::Conv2d second(4, 3, 2);
  t::nn::Conv2d third(t::nn::Conv2dOptions(3, 3, 1).groups(3).bias(false).padding(t::kSame));
  Values values;
  for (const auto& module : {first, second, third}) {
    for (auto& parameter : module->parameters()) {
      const t::NoGradGuard unrecorded;
      parameter.copy_(convolved_numbers(parameter.sizes().vec()));
      note(values, parameter.dim());
    }
  }
  auto x = leaf(convolved_numbers({2, 2, 7, 6}));
  t::nn::Sequential net(first, t::nn::ReLU(), second, third);
  note_gradients(values, {net->forward(x)}, x, first->weight, first->bias, second->weight, third->weight);
  note(values, first->options.in_channels(), first->options.kernel_size()->at(1), first->options.groups());
  return values;
}

}  // namespace programs
