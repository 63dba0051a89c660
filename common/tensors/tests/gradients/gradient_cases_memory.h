// SPDX-License-Identifier: MIT
// Functions that write in place, views, and copies, for the test of gradients.
#pragma once

#include "gradients/gradient_checks.h"

namespace d2l::testing::gradients {

inline std::vector<Case> in_place_cases() {
  const Input x{{2, 3}};
  const Input row{{3}};
  return {
      {"FillBackward2", "of a result", {x}, [](const Tensors& t) { return (t[0] * 2).fill_(3) * t[0]; }},
      {"ZeroBackward0", "of a result", {x}, [](const Tensors& t) { return (t[0] * 2).zero_() + t[0]; }},
      {"ZeroBackward0",
       "of a row of a result",
       {x},
       [](const Tensors& t) {
         const Tensor y = t[0] * t[0];
         y[0].zero_();
         return y;
       }},
      {"FillBackward2",
       "of a column",
       {x},
       [](const Tensors& t) {
         const Tensor y = t[0] * t[0];
         y.select(1, 2).fill_(2);
         return y;
       }},
      {"CopyBackwards", "over a result", {x, x}, [](const Tensors& t) { return (t[0] * 2).copy_(t[1]) * t[1]; }},
      {"CopyBackwards", "broadcast", {x, row}, [](const Tensors& t) { return (t[0] * 2).copy_(t[1]); }},
      {"CopyBackwards",
       "of another dtype",
       {x, {{3}, any, row_major, kFloat}},
       [](const Tensors& t) { return (t[0] * 2).copy_(t[1]); }},
      {"CopyBackwards",
       "over what wants no gradient",
       {x},
       [](const Tensors& t) { return zeros(list(2, 3), t[0].options()).copy_(t[0]) * 3; }},
      {"CopySlices",
       "an item assigned",
       {x, row},
       [](const Tensors& t) {
         const Tensor y = t[0] * 2;
         y[1] = t[1];
         return y * y;
       }},
      {"CopySlices",
       "a column added to",
       {x, {{2}}},
       [](const Tensors& t) {
         const Tensor y = t[0] * t[0];
         y.select(1, 1).add_(t[1], 2);
         return y * y;
       }},
      {"CopySlices",
       "a slice multiplied, twice",
       {x, {{2, 2}}},
       [](const Tensors& t) {
         const Tensor y = t[0] * 2;
         y.slice(1, 0, std::nullopt, 2).mul_(t[1]);
         y.t().select(0, 2).mul_(t[1].select(0, 1));
         return y.exp();
       }},
      {"CopySlices",
       "into what wanted none",
       {row},
       [](const Tensors& t) {
         const Tensor y = ones({2, 3}, t[0].options().requires_grad(false));
         y[0] = t[0] * t[0];
         return y.sum({0});
       }},
      {"CopySlices",
       "the whole by way of a view",
       {x},
       [](const Tensors& t) {
         const Tensor y = t[0] * 3;
         y.view({6}).tanh_();
         return y * y;
       }},
      {"AsStridedBackward0",
       "a row of what was written",
       {x},
       [](const Tensors& t) {
         Tensor y = t[0] * 2;
         const Tensor row_of_y = y[1];
         y.mul_(t[0]);
         return row_of_y * row_of_y;
       }},
      {"AsStridedBackward0",
       "an expanded view of what was written",
       {row},
       [](const Tensors& t) {
         Tensor y = t[0] * 2;
         const Tensor expanded = y.unsqueeze(0).expand({4, 3});
         y.exp_();
         return expanded * arange(12, TensorOptions(t[0].device()).dtype(kDouble)).view({4, 3});
       }},
      {"AddBackward0", "in place, broadcast", {x, row}, [](const Tensors& t) { return (t[0] * 2).add_(t[1], 0.5); }},
      {"SubBackward0", "in place", {x, row}, [](const Tensors& t) { return (t[0] * 2).sub_(t[1], 2).sub_(1); }},
      {"MulBackward0", "in place", {x, row}, [](const Tensors& t) { return (t[0] + 1).mul_(t[1]).mul_(3); }},
      {"DivBackward0",
       "in place",
       {x, {{3}, away_from_zero}},
       [](const Tensors& t) { return (t[0] + 1).div_(t[1]).div_(3); }},
      {"PowBackward0", "in place", {{{4}, positive}}, [](const Tensors& t) { return (t[0] * 2).pow_(1.5); }},
      {"PowBackward1", "in place", {{{4}, positive}, {{4}}}, [](const Tensors& t) { return (t[0] * 2).pow_(t[1]); }},
  };
}

inline std::vector<Case> view_cases() {
  const Input x{{2, 3, 2}};
  const Input turned{{2, 3, 2}, any, reversed};
  return {
      {"ViewBackward0", "", {x}, [](const Tensors& t) { return t[0].view(list(3, -1)); }},
      {"ReshapeAliasBackward0", "of a result", {x}, [](const Tensors& t) { return t[0].exp().reshape({12}); }},
      {"ReshapeAliasBackward0", "", {x}, [](const Tensors& t) { return t[0].reshape(list(6, 2)); }},
      {"UnsafeViewBackward0", "reshape that copies", {turned}, [](const Tensors& t) { return t[0].reshape(list(12)); }},
      {"CloneBackward0", "contiguous", {turned}, [](const Tensors& t) { return t[0].contiguous(); }},
      {"TransposeBackward0", "", {x}, [](const Tensors& t) { return t[0].transpose(-1, 1); }},
      {"TBackward0", "", {{{2, 3}}}, [](const Tensors& t) { return t[0].t(); }},
      {"TBackward0", "one dimension", {{{3}}}, [](const Tensors& t) { return t[0].t(); }},
      {"PermuteBackward0", "", {turned}, [](const Tensors& t) { return t[0].permute(list(2, 0, 1)); }},
      {"UnsqueezeBackward0", "", {x}, [](const Tensors& t) { return t[0].unsqueeze(1); }},
      {"SqueezeBackward0", "", {{{1, 3, 1}}}, [](const Tensors& t) { return t[0].squeeze(); }},
      {"SqueezeBackward1", "", {{{3, 1}}}, [](const Tensors& t) { return t[0].squeeze(1); }},
      {"SqueezeBackward1", "nothing to squeeze", {{{3, 1}}}, [](const Tensors& t) { return t[0].squeeze(0); }},
      {"ExpandBackward0", "", {{{3, 1}}}, [](const Tensors& t) { return t[0].expand(list(2, 3, 4)); }},
      {"ExpandBackward0", "no dimension", {{{}}}, [](const Tensors& t) { return t[0].expand(list(2, 3)); }},
      {"SelectBackward0", "", {turned}, [](const Tensors& t) { return t[0].select(1, -1); }},
      {"SelectBackward0", "an item", {x}, [](const Tensors& t) { return t[0][1]; }},
      {"SliceBackward0", "", {x}, [](const Tensors& t) { return t[0].slice(1, 1); }},
      {"SliceBackward0", "by steps", {{{7}}}, [](const Tensors& t) { return t[0].slice(0, 1, -1, 3); }},
      {"SliceBackward0", "nothing", {{{7}}}, [](const Tensors& t) { return t[0].slice(0, 5, 2); }},
      {"ToCopyBackward0", "a copy", {x}, [](const Tensors& t) { return t[0].to(kDouble, false, true); }},
      {"ToCopyBackward0",
       "to a wider dtype",
       {{{3}, any, row_major, kFloat}},
       [](const Tensors& t) { return t[0].to(kDouble); }},
      {"ToCopyBackward0",
       "to the CPU",
       {turned},
       [](const Tensors& t) { return t[0].to(cpu(), kDouble, false, true); }},
      {"CatBackward0", "", {{{2, 3}}, {{2, 1}}, {{2, 2}, any, reversed}}, [](const Tensors& t) { return cat(t, 1); }},
      {"CatBackward0", "twice the same", {{{2, 3}}}, [](const Tensors& t) { return cat(list(t[0], t[0] * 2, t[0])); }},
      {"CatBackward0", "two dtypes", {{{2}}, {{3}, any, row_major, kFloat}}, [](const Tensors& t) { return cat(t); }},
      {"StackBackward0", "", {{{2, 3}}, {{2, 3}, any, reversed}}, [](const Tensors& t) { return stack(t, -1); }},
      {"StackBackward0", "no dimension", {Input{}, Input{}}, [](const Tensors& t) { return stack(t); }},
  };
}

}  // namespace d2l::testing::gradients
