// SPDX-License-Identifier: MIT
// Programs of reductions, order, products and schedules, in the names that this library and LibTorch share.
#pragma once

#include <cmath>
#include <cstdint>
#include <tuple>
#include <vector>

#include "training_programs.h"

namespace programs {

inline Values spreads() {
  const auto x = t::tensor({{1.0, 5.0, 3.0}, {4.0, 2.5, -6.0}}, t::kFloat64);
  const std::vector<std::int64_t> second{1};
  const t::IntArrayRef columns = second;
  return noted(x.var(), x.std(), x.var(false), x.std(false), t::var(x), t::std(x), t::var(x, false), t::std(x, true),
               x.var(columns), x.std(columns, false), x.var(columns, true, true), t::std(x, columns, false, true),
               x.logsumexp(1), x.logsumexp(-1, true), t::logsumexp(x, t::IntArrayRef({0, 1})), (x * 500).logsumexp(0),
               x.cumsum(0), x.cumsum(-1), t::cumsum(x, 1));
}

inline Values truths_and_products() {
  const auto x = t::tensor({{1.0, 0.0, 3.0}, {4.0, 2.5, -6.0}});
  const auto n = t::tensor({{1, 2}, {3, 4}});
  return noted(x.prod(), x.prod(0), x.prod(-1, true), t::prod(n), t::prod(n, 1), n.prod().dtype() == t::kInt64, x.all(),
               x.any(), x.all(1), x.any(0, true), t::all(x), t::any(x), t::all(x, 0), t::any(x > 3, 1, true),
               t::zeros({0}).all(), t::zeros({0}).any(), t::zeros({0}).prod(), x.all().dtype() == t::kBool, x.argmin(),
               x.argmin(1), x.argmin(0, true), t::argmin(x), t::argmin(x, -1), n.cumsum(0),
               n.cumsum(0).dtype() == t::kInt64, t::cumsum(x > 1, 1));
}

template <class Pair>
void note_pair(Values& values, const Pair& pair) {
  note(values, std::get<0>(pair), std::get<1>(pair));
}

inline Values orders() {
  const auto x = t::tensor({{1.0, 5.0, 3.0, 2.0}, {4.0, 2.5, std::nan(""), -6.0}});
  const auto n = t::tensor({3, -1, 7, 0});
  Values values = noted(x.argsort(), x.argsort(1, true), t::argsort(n), t::argsort(x, -2, false), n.argsort(0, true));
  for (const auto& pair : {x.sort(), x.sort(0), x.sort(1, true), t::sort(n), t::sort(n, 0, true), x.topk(2),
                           x.topk(3, 1, false), x.topk(1, 0), n.topk(4), t::topk(n, 2, -1, false, true)}) {
    note_pair(values, pair);
  }
  return values;
}

inline Values more_products() {
  const auto a = t::arange(12.0).reshape({2, 2, 3});
  const auto b = t::arange(24.0).reshape({2, 3, 4});
  const auto v = t::tensor({1.0, 2.0, 3.0});
  const auto w = t::tensor({-1.0, 0.5, 4.0});
  const auto n = t::tensor({1, 2, 3});
  return noted(a.bmm(b), t::bmm(a, b), a[1].mv(v), t::mv(a[0], w), v.dot(w), t::dot(v, v), n.dot(n), v.outer(w),
               t::outer(v, t::tensor({1.0, 2.0})), n.outer(v), t::bmm(a.slice(1, 0, 0), b),
               a[0].t().mv(a[0][1].slice(0, 1)));
}

inline Values gradients_of_orders() {
  auto x = leaf(t::tensor({{1.0, 5.0, 3.0}, {4.0, 2.5, -6.0}}, t::kFloat64));
  auto v = leaf(t::tensor({0.5, -1.0, 2.0}, t::kFloat64));
  auto w = leaf(t::tensor({3.0, 0.25, -2.0}, t::kFloat64));
  Values values;
  note_gradients(
      values,
      {x.var(), x.std(), x.var(false), x.std(t::IntArrayRef({0, 1}), true, true), x.prod(), x.prod(1), (x - 5).prod(),
       x.logsumexp(1), x.logsumexp(t::IntArrayRef({0, 1}), true), x.cumsum(0), x.cumsum(1).exp() / 100,
       std::get<0>(x.sort(1)), std::get<0>(x.sort(0, true)), std::get<0>(x.topk(2)), x.softmax(1), x.log_softmax(0)},
      x);
  note_gradients(values, {v.dot(w), v.outer(w), x.detach().mv(v) * w[0]}, v, w);
  note_gradients(values, {x.reshape({2, 1, 3}).bmm(x.reshape({2, 3, 1})), x.mv(v.detach())}, x);
  return values;
}

inline Values gradients_of_more_functions() {
  auto x = leaf(t::tensor({-1.75, -0.5, 0.25, 2.5}, t::kFloat64));
  auto y = leaf(t::tensor({0.75, 2.0, 0.25, 1.5}, t::kFloat64));
  Values values;
  note_gradients(values,
                 {x.sin() + x.cos(), x.square(), x.floor() + x.ceil() + x.round(), x.sign(), x.reciprocal(), x.erf(),
                  x.expm1(), x.clamp(-1, 1), x.clamp_min(0), x.remainder(2)},
                 x);
  note_gradients(values, {y.rsqrt(), y.log1p()}, y);
  note_gradients(values, {t::maximum(x, y), t::minimum(x, y), x.remainder(y), t::where(x > y, x, y * 2)}, x, y);
  return values;
}

/// LibTorch lowers the rate one step() later than Python and this library: read when both have lowered it.
inline Values schedules() {
  auto a = leaf(t::tensor({1.0}));
  t::optim::SGD optimizer(std::vector<t::Tensor>{a}, t::optim::SGDOptions(0.5));
  t::optim::StepLR schedule(optimizer, 3, 0.25);
  Values values;
  for (int epoch = 1; epoch <= 8; ++epoch) {
    optimizer.zero_grad();
    a.square().sum().backward();
    schedule.step();
    if (epoch % 3 != 0) note(values, optimizer.param_groups()[0].options().get_lr());
  }
  return values;
}

}  // namespace programs
