// SPDX-License-Identifier: MIT
// Cases of derivatives: choices between elements, rounding, and activations.
#pragma once

#include <vector>

#include "gradients/gradient_checks.h"

namespace d2l::testing::gradients {

/// Alternately true and false.
inline Tensor alternating(IntArrayRef sizes, Device device) {
  return (arange(full(sizes, 0).numel(), device) % 2).eq(0).reshape(sizes);
}

inline std::vector<Case> choice_cases() {
  const Input x{{2, 3}};
  const Input turned{{2, 3}, any, reversed};
  const Input row{{3}, any, strided};
  return {
      {"WhereBackward0",
       "two tensors",
       {turned, row},
       [](const Tensors& t) {
         return where(alternating({2, 3}, t[0].device()), t[0], t[1]);
       }},
      {"WhereBackward0",
       "a condition of fewer dimensions, and two dtypes",
       {x, {{2, 1}, any, row_major, kFloat}},
       [](const Tensors& t) { return t[0].where(alternating({3}, t[0].device()), t[1]); }},
      {"WhereBackward0",
       "a number",
       {x},
       [](const Tensors& t) {
         return where(alternating({4, 2, 3}, t[0].device()), 2.5, t[0]);
       }},
      {"WhereBackward0", "else a number", {turned}, [](const Tensors& t) { return where(t[0] > 0, t[0], 1); }},
      {"MaskedFillBackward0",
       "a number",
       {turned},
       [](const Tensors& t) {
         return t[0].masked_fill(alternating({2, 3}, t[0].device()), 7);
       }},
      {"MaskedFillBackward0",
       "in place",
       {x},
       [](const Tensors& t) { return (t[0] * 2).masked_fill_(alternating({3}, t[0].device()), 7).mul(2); }},
      {"MaskedFillBackward1",
       "a tensor",
       {x, {{}}},
       [](const Tensors& t) {
         return t[0].masked_fill(alternating({4, 2, 3}, t[0].device()), t[1]);
       }},
      {"ClampBackward1", "both bounds", {turned}, [](const Tensors& t) { return t[0].clamp(-0.5, 0.5); }},
      {"ClampBackward1", "one bound", {x}, [](const Tensors& t) { return t[0].clamp(std::nullopt, 0.25); }},
      {"ClampBackward1", "in place", {x}, [](const Tensors& t) { return (t[0] * 2).clamp_(-0.5).mul(t[0]); }},
      {"ClampMinBackward0", "", {turned}, [](const Tensors& t) { return t[0].clamp_min(0.125); }},
      {"ClampMaxBackward0", "in place", {x}, [](const Tensors& t) { return (t[0] * 2).clamp_max_(0.125); }},
      {"ClampBackward0", "both bounds", {x, row, {{2, 1}}}, [](const Tensors& t) { return t[0].clamp(t[1], t[2]); }},
      {"ClampBackward0", "a maximum", {x, row}, [](const Tensors& t) { return t[0].clamp(std::nullopt, t[1]); }},
      {"ClampBackward0",
       "in place",
       {x, row, turned},
       [](const Tensors& t) { return (t[0] * 2).clamp_(t[1], t[2]).mul(t[0]); }},
      {"ClampMinBackward1", "more dimensions", {row, x}, [](const Tensors& t) { return t[0].clamp_min(t[1]); }},
      {"ClampMaxBackward1", "in place", {x, row}, [](const Tensors& t) { return (t[0] * 2).clamp_max_(t[1]); }},
      {"RoundBackward1", "", {x}, [](const Tensors& t) { return t[0].round(1) + t[0]; }},
      {"RoundBackward1", "in place", {x}, [](const Tensors& t) { return (t[0] * 2).round_(-1) + t[0]; }},
      {"PowBackward0", "square", {turned}, [](const Tensors& t) { return t[0].square(); }},
      {"PowBackward0", "square_", {x}, [](const Tensors& t) { return (t[0] * 2).square_(); }},
  };
}

inline std::vector<Case> activation_cases() {
  std::vector<Case> all;
  const auto add = [&all](const char* derivative, const char* what, const Function& function) {
    all.push_back({derivative, what, {{{2, 3}, away_from_zero}}, function});
    all.push_back({derivative, what, {{{3, 2, 2}, away_from_zero, reversed}}, function});
    all.push_back({derivative, what, {{{4}, away_from_zero, strided, kFloat}}, function});
  };
  add("GeluBackward0", "", [](const Tensors& t) { return gelu(t[0]); });
  add("GeluBackward0", "tanh", [](const Tensors& t) { return gelu(t[0], "tanh"); });
  add("SiluBackward0", "", [](const Tensors& t) { return silu(t[0]); });
  add("SoftplusBackward0", "", [](const Tensors& t) { return softplus(t[0]); });
  add("SoftplusBackward0", "beta and threshold", [](const Tensors& t) { return softplus(t[0], 2, 0.1); });
  add("LeakyReluBackward0", "", [](const Tensors& t) { return leaky_relu(t[0]); });
  add("LeakyReluBackward0", "slope", [](const Tensors& t) { return leaky_relu(t[0], -0.5); });
  add("EluBackward0", "", [](const Tensors& t) { return elu(t[0]); });
  add("EluBackward0", "alpha", [](const Tensors& t) { return elu(t[0], 0.5); });
  return all;
}

}  // namespace d2l::testing::gradients
