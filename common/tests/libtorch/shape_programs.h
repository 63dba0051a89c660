// SPDX-License-Identifier: MIT
// Programs of shapes, places and factories, in the names that this library and LibTorch share.
#pragma once

#include <tuple>
#include <vector>

#include "training_programs.h"

namespace programs {

inline void note_all(Values& values, const std::vector<t::Tensor>& parts) {
  add(values, parts.size());
  for (const auto& part : parts) add(values, part);
}

inline Values more_shapes() {
  const auto x = t::arange(24).reshape({2, 3, 4});
  const auto row = t::tensor({1.0, 2.0, 3.0});
  return noted(x.flatten(), x.flatten(1), x.flatten(0, -2), t::flatten(x, 0, 1), x.unflatten(2, {2, -1}),
               x[0].numpy_T(), x.mT(), x.movedim(0, 2), x.movedim({0, 1}, {2, 0}), t::movedim(x, -1, 0),
               t::movedim(x, {0, 2}, {1, 0}), row.broadcast_to({2, 3}), t::broadcast_to(row, {2, 2, 3}),
               x.narrow(1, 1, 2), t::narrow(x, -1, 0, 3), x.movedim(0, 2).strides().vec(),
               row.broadcast_to({2, 3}).strides().vec(), t::tensor(4.0).flatten());
}

inline Values parts() {
  const auto x = t::arange(20).reshape({5, 4});
  Values values;
  for (const auto& list :
       {x.split(2), x.split(3, 1), x.split({1, 3}, 1), x.split_with_sizes({2, 3}), x.chunk(2), x.chunk(3, -1),
        t::split(x, 4), t::split(x, {4, 1}), t::split_with_sizes(x, {0, 4}, 1), t::chunk(x, 4), t::chunk(x, 2, 1)}) {
    note_all(values, list);
  }
  x.split(2)[1].fill_(-1);  // a view
  note(values, x);
  return values;
}

inline Values repetitions() {
  const auto x = t::tensor({{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}});
  return noted(x.repeat({2, 1}), x.repeat({2, 1, 2}), x.repeat_interleave(2), x.repeat_interleave(3, 0),
               x.repeat_interleave(t::tensor({1, 0, 2}), 1), t::repeat_interleave(x, 2, 1),
               t::repeat_interleave(x, t::tensor({2, 1}), 0), x.flip({0}), x.flip({0, -1}), t::flip(x, {1}), x.roll(1),
               x.roll({1}, {0}), x.roll({1, -1}, {0, 1}), t::roll(x, -2), t::roll(x, 1, 1));
}

inline Values triangles() {
  const auto x = t::arange(1.0, 13.0).reshape({3, 4});
  const auto v = t::tensor({1, 2, 3});
  return noted(x.tril(), x.tril(1), x.triu(), x.triu(-1), t::tril(x, -1), t::triu(x, 2), x.diag(), x.diag(-1),
               t::diag(x, 2), v.diag(), v.diag(1), t::diag(v, -2), t::arange(8).reshape({2, 2, 2}).tril(),
               (x > 2).triu().dtype() == t::kBool);
}

inline Values other_places() {
  const auto x = t::arange(12.0).reshape({3, 4});
  const auto rows = t::tensor({2, 0, 2});
  const auto columns = t::tensor({{3, 0}, {1, 1}});
  const auto cube = t::arange(12).reshape({2, 3, 2});
  return noted(x.index_select(0, rows), x.index_select(-1, rows), t::index_select(x, 1, rows.to(t::kInt32)),
               x.gather(1, columns), t::gather(x, 0, t::tensor({{2, 1, 0}})), x.index({x > 4}), x.index({rows}),
               x.index({t::tensor({true, false, true})}), cube.index({t::tensor({-1, 0})}), x.masked_select(x < 3),
               t::masked_select(x, t::tensor({true, false, false, true})), x.index({x > 100}));
}

inline Values more_factories() {
  t::manual_seed(5);
  const auto a = t::randint(10, {200});
  const auto b = t::randint(-3, 4, {10, 20}, t::kFloat64);
  const auto order = t::randperm(12);
  std::vector<double> memory{1, 2, 3, 4, 5, 6};
  auto borrowed = t::from_blob(memory.data(), {2, 3}, t::kFloat64);
  borrowed.mul_(2);
  memory[5] = -1;
  const auto strided = t::from_blob(memory.data(), {2, 2}, {3, 2}, t::kFloat64);
  int released = 0;
  {
    const auto owned = t::from_blob(
        memory.data(), {6}, [&](void*) { ++released; }, t::kFloat64);
  }
  return noted(t::eye(3), t::eye(2, 3), t::eye(2, t::kInt64), t::linspace(0, 1, 5), t::linspace(-2, 3, 6, t::kFloat64),
               t::linspace(1, 1, 1), t::linspace(0, 1, 0), a.min().item<double>() >= 0, a.max().item<double>() < 10,
               a.dtype() == t::kInt64 && b.dtype() == t::kFloat64, b.min().item<double>() == -3,
               b.max().item<double>() == 3, std::get<0>(order.sort()), order.dtype() == t::kInt64, borrowed, strided,
               memory[0] + memory[4], released);
}

inline Values classes() {
  const auto x = t::tensor({{2, 0}, {1, 2}});
  return noted(t::one_hot(x), t::one_hot(x, 4), t::one_hot(t::tensor(1), 2), t::one_hot(x).dtype() == t::kInt64);
}

inline Values gradients_of_places() {
  auto x = leaf(t::arange(1.0, 13.0, t::kFloat64).reshape({3, 4}));
  auto v = leaf(t::tensor({0.5, -1.0, 2.0}, t::kFloat64));
  const auto rows = t::tensor({2, 0, 2});
  Values values;
  note_gradients(values,
                 {x.flatten() * 2, x.unflatten(1, {2, 2}).exp(), x.numpy_T() * 3, x.movedim(0, 1).square(),
                  x.narrow(1, 1, 2), x.split(2)[1] * x.chunk(4, 1)[0][2], x.repeat({2, 1}), x.repeat_interleave(2, 1),
                  x.tril() + x.triu(1) * 2, x.diag(1), x.flip({0, 1}), x.roll(1, 0), x.index_select(0, rows),
                  x.gather(1, t::tensor({{3, 0}, {1, 1}})), x.index({x > 4}), x.index({rows}), x.masked_select(x < 7),
                  x.masked_fill(x > 6, 1.5).square(), t::where(x > 5, x, x * 3)},
                 x);
  note_gradients(values, {v.broadcast_to({2, 3}), v.diag(), v.repeat_interleave(rows)}, v);
  return values;
}

}  // namespace programs
