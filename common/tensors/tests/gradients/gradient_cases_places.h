// SPDX-License-Identifier: MIT
// Operations on places, order and statistics, for the test of gradients.
#pragma once

#include "gradients/gradient_checks.h"

namespace d2l::testing::gradients {

inline std::vector<Case> place_cases() {
  const Input x{{3, 4}};
  const Input turned{{3, 4}, any, reversed};
  const auto on = [](const Tensors& t, const TensorData& data) { return tensor(data).to(t[0].device()); };
  return {
      {"SplitBackward0", "", {turned}, [](const Tensors& t) { return t[0].split(3, 1)[1] * t[0].split(3, 1)[1]; }},
      {"SplitWithSizesBackward0",
       "",
       {x},
       [](const Tensors& t) {
         return t[0].split({1, 2}, 0)[1];
       }},
      {"IndexSelectBackward0",
       "",
       {turned},
       [on](const Tensors& t) {
         return t[0].index_select(0, on(t, {2, 0, 2, 2}));
       }},
      {"IndexSelectBackward0",
       "inner",
       {x},
       [on](const Tensors& t) {
         return t[0].index_select(1, on(t, {3, 3}));
       }},
      {"GatherBackward0",
       "of fewer",
       {turned},
       [on](const Tensors& t) {
         return t[0].gather(1, on(t, {{2, 2, 0}, {3, 1, 2}}));
       }},
      {"GatherBackward0",
       "of more along the dimension",
       {x},
       [on](const Tensors& t) {
         return t[0].gather(0, on(t, {{2, 2}, {0, 1}, {2, 2}, {1, 1}}));
       }},
      {"GatherBackward0",
       "no dimension",
       {{{}}},
       [on](const Tensors& t) {
         return t[0].gather(0, on(t, {0, 0, 0}));
       }},
      {"IndexBackward0",
       "integers",
       {turned},
       [on](const Tensors& t) {
         return t[0][on(t, {{-1, 0}, {-1, 1}})];
       }},
      {"IndexBackward0",
       "a mask of rows",
       {turned},
       [on](const Tensors& t) {
         return t[0][on(t, {true, false, true})];
       }},
      {"IndexBackward0",
       "a mask of elements",
       {{{2, 2, 3}}},
       [on](const Tensors& t) {
         return t[0][on(t, {{true, false}, {true, true}})];
       }},
      {"MaskedSelectBackward0",
       "broadcast",
       {{{4}}},
       [on](const Tensors& t) {
         return t[0].masked_select(on(t, {{true, false, true, true}, {true, true, false, false}}));
       }},
      {"FlipBackward0",
       "",
       {turned},
       [](const Tensors& t) {
         return t[0].flip({0, 1});
       }},
      {"RollBackward0",
       "",
       {turned},
       [](const Tensors& t) {
         return t[0].roll({1, -1}, {0, 1});
       }},
      {"RollBackward0", "all", {turned}, [](const Tensors& t) { return t[0].roll(5); }},
      {"RepeatBackward0",
       "",
       {turned},
       [](const Tensors& t) {
         return t[0].repeat({2, 3, 2});
       }},
      {"RepeatBackward0",
       "no dimension",
       {{{}}},
       [](const Tensors& t) {
         return t[0].repeat({2, 3});
       }},
      {"ViewBackward0", "interleaved", {turned}, [](const Tensors& t) { return t[0].repeat_interleave(3, 1); }},
      {"IndexSelectBackward0",
       "interleaved by counts",
       {x},
       [on](const Tensors& t) {
         return t[0].repeat_interleave(on(t, {2, 0, 1}), 0);
       }},
      {"TrilBackward0", "", {turned}, [](const Tensors& t) { return t[0].tril(1); }},
      {"TriuBackward0", "", {{{2, 3, 3}}}, [](const Tensors& t) { return t[0].triu(); }},
      {"DiagBackward0", "of a matrix", {turned}, [](const Tensors& t) { return t[0].diag(1); }},
      {"DiagBackward0", "below the main one", {turned}, [](const Tensors& t) { return t[0].diag(-2); }},
      {"DiagBackward0", "as a matrix", {{{3}, any, strided}}, [](const Tensors& t) { return t[0].diag(-1); }},
      {"SortBackward0", "", {turned}, [](const Tensors& t) { return std::get<0>(t[0].sort(0)); }},
      {"SortBackward0", "no dimension", {{{}}}, [](const Tensors& t) { return std::get<0>(t[0].sort()); }},
      {"TopkBackward0", "", {turned}, [](const Tensors& t) { return std::get<0>(t[0].topk(2, 1)); }},
      {"TopkBackward0", "smallest", {x}, [](const Tensors& t) { return std::get<0>(t[0].topk(2, 0, false)); }},
      {"BmmBackward0", "", {{{2, 3, 4}}, {{2, 4, 2}, any, reversed}}, [](const Tensors& t) { return t[0].bmm(t[1]); }},
      {"MulBackward0", "outer", {{{3}}, {{2}, any, strided}}, [](const Tensors& t) { return t[0].outer(t[1]); }},
      {"MulBackward0",
       "outer of two dtypes",
       {{{3}}, {{2}, any, row_major, kFloat}},
       [](const Tensors& t) { return t[0].outer(t[1]); }},
  };
}

inline std::vector<Case> statistics_cases() {
  const Input x{{2, 3, 4}};
  const Input turned{{2, 3, 4}, away_from_zero, reversed};
  return {
      {"VarBackward0", "", {turned}, [](const Tensors& t) { return t[0].var(); }},
      {"VarBackward0",
       "some",
       {x},
       [](const Tensors& t) {
         return t[0].var({0, 2}, 0);
       }},
      {"StdBackward0", "kept", {turned}, [](const Tensors& t) { return t[0].std({1}, 1, true); }},
      {"StdBackward0", "", {x}, [](const Tensors& t) { return t[0].std(); }},
      {"ProdBackward0", "", {turned}, [](const Tensors& t) { return t[0].prod(); }},
      {"ProdBackward1", "", {turned}, [](const Tensors& t) { return t[0].prod(1); }},
      {"ProdBackward1", "kept", {x}, [](const Tensors& t) { return t[0].prod(-1, true); }},
      {"LogsumexpBackward0",
       "",
       {turned},
       [](const Tensors& t) {
         return t[0].logsumexp({0, 2});
       }},
      {"LogsumexpBackward0", "kept", {x}, [](const Tensors& t) { return t[0].logsumexp({1}, true); }},
      {"CumsumBackward0", "", {turned}, [](const Tensors& t) { return t[0].cumsum(1); }},
      {"CumsumBackward0", "no dimension", {{{}}}, [](const Tensors& t) { return t[0].cumsum(0); }},
  };
}

}  // namespace d2l::testing::gradients
