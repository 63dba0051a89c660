// SPDX-License-Identifier: MIT
// Programs in the names that this library and LibTorch share. The including file defines the namespace alias `t`.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <tuple>
#include <type_traits>
#include <vector>

namespace programs {

using Values = std::vector<double>;

/// A number, or 1 for true.
template <class Number, class = std::enable_if_t<std::is_arithmetic_v<Number>>>
void add(Values& values, Number number) {
  values.push_back(static_cast<double>(number));
}
inline void add(Values& values, const std::vector<std::int64_t>& numbers) {
  values.insert(values.end(), numbers.begin(), numbers.end());
}
/// The elements of a tensor in row-major order, each read by item().
inline void read(const t::Tensor& x, Values& values) {
  if (x.dim() == 0) {
    values.push_back(x.item().toDouble());
    return;
  }
  for (std::int64_t i = 0; i < x.size(0); ++i) read(x[i], values);
}
/// The shape of a tensor, then its elements.
inline void add(Values& values, const t::Tensor& x) {
  add(values, x.dim());
  for (const auto size : x.sizes()) add(values, size);
  read(x, values);
}
template <class... Parts>
void note(Values& values, const Parts&... parts) {
  (add(values, parts), ...);
}
template <class... Parts>
Values noted(const Parts&... parts) {
  Values values;
  note(values, parts...);
  return values;
}

inline Values factories() {
  const auto a = t::zeros({2, 3});
  const auto b = t::ones({3}, t::kFloat64);
  const auto c = t::full({2, 2}, 3.5);
  const auto d = t::full({2}, 7, t::kInt64);
  const auto e = t::tensor({1.5, 2.5, -0.5});
  const auto f = t::tensor({{1, 2, 3}, {4, 5, 6}});
  const auto g = t::tensor(4.25);
  const auto h = t::tensor(std::vector<float>{0.5F, 1.5F});
  const auto i = t::tensor({1.0, 2.0}, t::kFloat64);
  const auto j = t::tensor({1, 0, 1}, t::dtype(t::kBool));
  const auto k = t::zeros({0, 3});
  const auto l = t::tensor({{{1.0}, {2.0}}, {{3.0}, {4.0}}});
  const auto m = t::tensor(std::vector<std::int64_t>{1, 2, 3});
  const auto n = t::ones(4);
  const auto o = t::tensor({true, false});
  return noted(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o,
               f.dtype() == t::kInt64 && e.dtype() == t::kFloat32 && i.scalar_type() == t::kDouble,
               o.dtype() == t::kBool && h.dtype() == t::kFloat && m.dtype() == t::kLong,
               t::empty({2, 5}).sizes() == t::IntArrayRef({2, 5}));
}

inline Values factories_like() {
  const auto x = t::tensor({{1, 2}, {3, 4}}, t::kInt32);
  const auto zeros = t::zeros_like(x);
  const auto ones = t::ones_like(x, t::kFloat64);
  const auto full = t::full_like(x, 9);
  const auto empty = t::empty_like(x);
  const auto random = t::rand_like(t::ones({3, 4}));
  const auto normal = t::randn_like(t::ones({3, 4}), t::kFloat64);
  return noted(zeros, ones, full,
               zeros.dtype() == t::kInt32 && ones.dtype() == t::kFloat64 && empty.sizes() == x.sizes(),
               (random >= 0).to(t::kInt64).sum().item<std::int64_t>() == 12,
               normal.dtype() == t::kDouble && normal.numel() == 12);
}

inline Values ranges() {
  return noted(t::arange(5), t::arange(2, 7), t::arange(0, 10, 2), t::arange(0, 1, 0.25), t::arange(5.0),
               t::arange(10, 0, -3), t::arange(3, t::kFloat64), t::arange(1, 4, t::dtype(t::kInt32)),
               t::arange(0.5, 3.0, 0.5, t::TensorOptions().dtype(t::kFloat64)));
}

inline Values random_numbers() {
  t::manual_seed(7);
  const auto a = t::rand({100});
  const auto b = t::randn({4, 5}, t::kFloat64);
  t::manual_seed(7);
  const auto again = t::rand({100});
  return noted(t::equal(a, again), a.min().item<double>() >= 0, a.max().item<float>() < 1, b.numel(),
               b.dtype() == t::kFloat64);
}

inline Values options() {
  const auto chosen = t::TensorOptions().dtype<double>().device(t::kCPU);
  const auto a = t::ones({2}, chosen);
  const auto b = t::zeros({2}, t::device(t::Device("cpu")).dtype(t::kInt32));
  const auto c = t::ones({2}, t::Device(t::kCPU));
  const auto d = t::full({2}, 1, a.options());
  const auto e = t::tensor({1, 2}, b.options().dtype(t::kInt64));
  const auto f = t::zeros({1}, t::device(t::kCPU));
  return noted(a, b, c, d, e, f, a.dtype() == t::kFloat64 && b.dtype() == t::kInt32 && d.scalar_type() == t::kFloat64,
               a.device() == t::Device("cpu") && a.device().type() == t::kCPU && a.device().is_cpu(),
               a.is_cpu() && !a.is_cuda() && a.is_floating_point() && e.dtype() == t::kLong,
               a.element_size() + b.element_size(),
               t::Device("cuda:1").index() == 1 && t::Device(t::kCUDA, 2).str() == "cuda:2",
               t::Device(t::kCPU).str() == "cpu" && t::Device("cuda:1") != t::Device("cuda:2"),
               f.options().dtype() == t::kFloat && t::elementSize(t::kDouble) == 8);
}

inline Values shapes() {
  const auto x = t::arange(24).reshape({2, 3, 4});
  return noted(x.dim(), x.numel(), x.size(-1), x.stride(0), x.is_contiguous(), x.nbytes(), x.sizes().vec(),
               x.transpose(0, 2).strides().vec(), x.sizes() == t::IntArrayRef({2, 3, 4}),
               x.sizes()[1] == 3 && x.sizes().size() == 3 && !x.sizes().empty(),
               x.sizes() == std::vector<std::int64_t>{2, 3, 4} && x.sizes() != t::zeros({2}).sizes(),
               x.sizes().front() + x.sizes().back(), x.permute({2, 0, 1}).is_contiguous(), x[1][2].storage_offset());
}

inline Values views() {
  const auto x = t::arange(12).to(t::kFloat32);
  auto matrix = x.view({3, 4});
  const auto transposed = matrix.t();
  const auto expanded = t::tensor({{1.0}, {2.0}}).expand({2, 3});
  const auto kept = t::tensor({{1.0, 2.0}}).expand({2, -1});
  auto row = matrix[1];
  row.fill_(-1);
  matrix.select(1, 0).zero_();
  matrix.slice(0, 1, 3).slice(1, 2, 4).mul_(10);
  return noted(x, matrix, transposed, matrix.reshape({2, -1}), matrix.reshape(-1), matrix.transpose(0, 1).contiguous(),
               x.view({2, 3, 2}).permute({1, 0, 2}), x.unsqueeze(0), x.unsqueeze(-1), expanded, kept,
               t::ones({1, 2, 1}).squeeze(), t::ones({1, 2, 1}).squeeze(0), t::squeeze(t::ones({1, 3})),
               t::squeeze(t::ones({1, 3, 1}), -1), t::unsqueeze(x, 1), t::transpose(matrix, 0, 1),
               t::permute(x.view({2, 3, 2}), {2, 1, 0}), t::reshape(x, {4, 3}), matrix.slice(1, 0, 4, 2),
               matrix.slice(0, -2), t::select(matrix, 0, 2), t::t(matrix), matrix.view(-1), t::slice(matrix, 1, 1, 3));
}

inline Values assignments() {
  auto x = t::zeros({3, 3});
  x[0] = t::ones({3});
  x[1][1] = 5.5;
  x[2] = 2;
  auto y = x.clone();
  y[0][0] = x[1][1];
  y += 1;
  auto z = t::empty({3, 3});
  z.copy_(y);
  auto wide = t::empty({2, 3}, t::kFloat64);
  wide.copy_(x[0]);
  auto same = x;
  same[2][2] = -1;
  return noted(x, y, z, wide, same);
}

inline Values places() {
  const auto x = t::tensor({1.7, -2.7});
  const auto same = x.to(t::kCPU);
  const auto whole = x.to(t::kInt64);
  const auto wide = x.to(t::kCPU, t::kFloat64);
  const auto truths = x.to(t::kBool);
  const auto like = whole.to(x);
  const auto copied = x.to(t::kFloat32, false, true);
  return noted(same, whole, wide, truths, like, copied, x.cpu(), x.clone(), x.contiguous(),
               same.is_same(x) && x.cpu().is_same(x) && x.contiguous().is_same(x),
               !copied.is_same(x) && !x.clone().is_same(x) && x.to(t::Device("cpu")).is_same(x),
               t::ones({2, 3}).to(t::kCPU).sizes() == t::IntArrayRef({2, 3}),
               x.to(t::TensorOptions().dtype(t::kFloat64)).dtype() == t::kFloat64,
               x.to(x.device(), t::kInt32).dtype() == t::kInt32, x.data_ptr<float>()[1],
               x.view({2, 1}).data_ptr<float>() == x.data_ptr<float>() && x.defined());
}

inline Values items() {
  const t::Scalar whole = 3;
  const t::Scalar real = 2.5;
  const t::Scalar yes = true;
  const auto x = t::tensor({{1.5, 2.5}});
  return noted(x[0][1].item<double>(), x[0][0].item<float>(), x[0][0].item().toDouble(),
               t::tensor(7).item<std::int64_t>(), t::tensor(7).item<int>(), t::tensor(true).item<bool>(),
               t::tensor(0.0).is_nonzero(), whole.to<double>(), real.to<float>(), whole.toLong(), real.toDouble(),
               whole.toInt(), real.toFloat(), yes.to<bool>(),
               whole.isIntegral(false) && real.isFloatingPoint() && yes.isBoolean(),
               t::tensor(3).item().isIntegral(false) && t::tensor(3.0).item().isFloatingPoint(),
               (x * whole + real)[0][0].item<double>());
}

inline Values arithmetic() {
  const auto x = t::tensor({{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}});
  const auto y = t::tensor({10.0, 20.0, 30.0});
  const auto n = t::tensor({7, 8, 9});
  return noted(x + y, x - y, x * y, x / y, x + 1, 2 - x, 3 * x, 1.0 / x, x / 2, -x, x.add(y, 2), x.sub(y, 0.5),
               x.mul(y), x.div(y), t::add(x, y), t::sub(x, y), t::mul(x, y), t::div(x, y), t::add(x, y, 3), n + 1,
               n * 2.5, n / 2, n + y, n - 1, 10 - n, t::add(x, 1), t::mul(x, 2), t::sub(x, 1), t::div(x, 4), x.add(1),
               x.mul(0.5), t::tensor(2) * x, x * t::tensor(2), t::tensor({true, true, false}) + n, t::neg(x),
               x.add(3, 2), n.div(t::tensor(2)), x.sub(1), x.div(8));
}

inline Values powers() {
  const auto x = t::tensor({1.0, 2.0, 3.0});
  const auto n = t::tensor({1, 2, 3});
  return noted(x.pow(2), x.pow(0.5), t::pow(x, 3), t::pow(2, x), t::pow(x, x), n.pow(2), t::pow(n, 0.5), t::pow(2, n),
               x.pow(-1), x.pow(n), t::pow(2.5, n), n.pow(n));
}

inline Values in_place() {
  auto x = t::tensor({4.0, 9.0, 16.0});
  const auto y = t::tensor({1.0, 2.0, 3.0});
  x += y;
  x -= 1;
  x *= 2;
  x /= y;
  x.add_(y, 0.5).sub_(y).mul_(y).div_(2);
  auto a = t::tensor({4.0, 9.0});
  a.sqrt_();
  auto b = t::tensor({-1.0, 2.0});
  b.abs_();
  auto c = t::tensor({-1.0, 2.0});
  c.relu_();
  auto d = t::tensor({0.0, 1.0});
  d.exp_();
  auto e = t::tensor({1.0, 2.0});
  e.log_().neg_();
  auto f = t::tensor({0.0, 1.0});
  f.sigmoid_();
  auto g = t::tensor({0.0, 1.0});
  g.tanh_();
  auto h = t::ones({2, 2});
  h.fill_(3).pow_(2);
  auto i = t::ones({2}, t::kInt64);
  i += 2;
  i.mul_(t::tensor({3, 4}));
  auto j = t::ones({2, 3});
  j *= t::tensor({1.0, 2.0, 3.0});
  j += t::tensor({1, 2, 3});
  return noted(x, a, b, c, d, e, f, g, h, i, j, t::ones({2}).zero_(), t::ones({}).fill_(4), t::full({}, 2.5));
}

inline Values comparisons() {
  const auto x = t::tensor({1.0, 2.0, 3.0});
  const auto y = t::tensor({3.0, 2.0, 1.0});
  return noted(x == y, x != y, x<y, x <= y, x> y, x >= y, x == 2, x != 2, x<2, x <= 2, x> 2, x >= 2, x.eq(y), x.ne(y),
               x.lt(y), x.le(y), x.gt(y), x.ge(y), x.lt(2), x.ge(2), t::eq(x, y), t::lt(x, y), t::gt(x, 2), t::ne(x, y),
               t::le(x, y), t::ge(x, y), 2 < x, 2 == x, 2 >= x,
               t::equal(x, x.clone()) && !t::equal(x, y) && x.equal(x) && !t::equal(x, t::ones({2})),
               t::allclose(x, x + 1e-7) && !x.allclose(y) && t::allclose(x, x + 0.1, 0, 0.2),
               (x > 1).sum().item<double>(), (x == y).dtype() == t::kBool);
}

inline Values unary_functions() {
  const auto x = t::tensor({{0.25, 1.0}, {2.0, 4.0}});
  const auto signs = t::tensor({-2.0, -0.5, 0.0, 3.0});
  const auto n = t::tensor({1, 2, 3});
  return noted(x.sqrt(), x.exp(), x.log(), signs.abs(), signs.relu(), signs.sigmoid(), signs.tanh(), signs.neg(),
               t::sqrt(x), t::exp(x), t::log(x), t::abs(signs), t::relu(signs), t::sigmoid(signs), t::tanh(signs),
               n.exp(), n.sqrt(), t::sigmoid(n), t::abs(-n), t::relu(n));
}

inline Values more_functions() {
  const auto x = t::tensor({-1.75, -0.5, 0.0, 0.25, 2.5});
  const auto plus = t::tensor({0.25, 1.0, 4.0});
  const auto n = t::tensor({-3, 0, 2});
  auto y = x.clone();
  y.sin_().square_().mul_(100).round_(1).floor_();
  auto z = n.clone();
  z.sign_().logical_not_();
  return noted(x.sin(), x.cos(), x.square(), x.floor(), x.ceil(), x.round(), x.round(1), x.sign(), plus.reciprocal(),
               plus.rsqrt(), x.erf(), plus.log1p(), x.expm1(), n.floor(), n.square(), n.sign(), n.cos(), t::sin(x),
               t::cos(x), t::square(x), t::floor(x), t::ceil(x), t::round(x), t::round(x, -1), t::sign(x),
               t::reciprocal(plus), t::rsqrt(plus), t::erf(x), t::log1p(plus), t::expm1(x), y, z,
               n.floor().dtype() == t::kInt64 && t::square(t::tensor({true})).dtype() == t::kInt64, t::isnan(x / x),
               t::isinf(1 / x), t::isfinite(1 / x), x.isnan(), n.isfinite(), t::logical_not(x), n.logical_not());
}

inline Values divisions() {
  const auto x = t::tensor({-5.5, -1.0, 0.5, 7.0});
  const auto y = t::tensor({2.0, -3.0, -0.25, 4.0});
  const auto n = t::tensor({-7, -2, 5, 9});
  auto z = n.clone();
  z.remainder_(4).floor_divide_(2);
  return noted(x % y, x % 2, 5 % y, n % 3, n % t::tensor({2, -3, 4, -5}), n % 2.5, t::remainder(x, y), x.remainder(-2),
               x.floor_divide(y), t::floor_divide(n, 2), n.floor_divide(t::tensor({2, -3, 4, -5})), z,
               t::remainder(n, 3).dtype() == t::kInt64);
}

inline Values choices() {
  const auto x = t::tensor({{-2.0, 0.5, 3.0}, {1.0, -0.25, 9.0}});
  const auto row = t::tensor({0.0, 1.0, 2.0});
  const auto n = t::tensor({-2, 4, 7});
  auto a = x.clone();
  a.clamp_(-1, 4).clamp_min_(0).clamp_max_(t::tensor({2.0, 0.25, 3.0}));
  auto b = x.clone();
  b.masked_fill_(x > 1, -1).masked_fill_(x < 0, t::tensor(8.0));
  auto c = n.clone();
  c.logical_and_(t::tensor({1, 0, 3}));
  return noted(t::where(x > 0, x, row), t::where(x > 0, x, 1), t::where(x > 0, 2.5, row), t::where(x > 0, 1, 0),
               x.where(x > 0, row), x.masked_fill(x > 0, 7), t::masked_fill(x, row > 0, 0.5), x.clamp(-1, 1),
               x.clamp(0.25), x.clamp({}, 0.5), t::clamp(x, 0, 2), t::clamp(n, 0.5), t::clamp(x, row, row + 1),
               x.clamp_min(row), t::clamp_min(x, 0), x.clamp_max(1), t::clamp_max(x, row), t::maximum(x, row),
               x.minimum(row), t::maximum(n, row), t::logical_and(n, row), t::logical_or(row, n),
               t::logical_xor(row, row + 1), n.logical_and(row), a, b, c, t::clamp(n, 0, 5).dtype() == t::kInt64);
}

inline Values activations() {
  const auto x = t::tensor({-3.0, -0.5, 0.0, 0.25, 4.0});
  const auto scores = t::tensor({{1.0, 2.0, 3.0}, {-1.0, 0.0, 100.0}});
  return noted(t::gelu(x), t::gelu(x, "tanh"), t::silu(x), t::softplus(x), t::softplus(x, 2, 1), t::leaky_relu(x),
               t::leaky_relu(x, 0.25), t::elu(x), t::elu(x, 0.5), t::softmax(scores, 0), t::softmax(scores, -1),
               scores.softmax(1), t::softmax(t::tensor(2.0), 0));
}

inline Values reductions() {
  const auto x = t::tensor({{1.0, 5.0, 3.0}, {4.0, 2.0, 6.0}});
  const auto n = t::tensor({{1, 2}, {3, 4}});
  const auto cube = t::arange(24.0).reshape({2, 3, 4});
  return noted(x.sum(), t::sum(x), x.sum(0), x.sum({0}), x.sum({-2, -1}),
               x.sum(t::IntArrayRef({0, 1}), /*keepdim=*/true), x.sum(1, true), x.sum(-1), t::sum(x, 1),
               t::sum(x, {1, 0}), x.mean(), x.mean(0), x.mean({0}), x.mean({1, 0}, true), t::mean(x), t::mean(x, 1),
               x.max(), x.min(), t::max(x), t::min(x), n.sum(), n.sum(0), n.max(), cube.sum({-3, 2}),
               cube.mean({1, 2}, true), cube.sum({-1, 0}), (x > 2).sum(), t::zeros({0, 2}).sum(0), cube.mean(-1),
               n.sum().dtype() == t::kInt64 && (x > 2).sum(0).dtype() == t::kInt64);
}

inline Values extremes() {
  const auto x = t::tensor({{1.0, 5.0, 3.0}, {4.0, 2.0, 6.0}});
  const auto [values, indices] = x.max(1);
  const auto kept = x.min(0, true);
  const auto free = t::max(x, 0);
  return noted(values, indices, std::get<0>(kept), std::get<1>(kept), std::get<0>(free), std::get<1>(free),
               std::get<0>(t::min(x, 1, true)), std::get<1>(x.max(-1)), x.argmax(), x.argmax(1), x.argmax(1, true),
               x.argmax(0), t::argmax(x), t::argmax(x, 1));
}

inline Values norms() {
  const auto x = t::tensor({{3.0, 4.0}, {6.0, 8.0}});
  return noted(x.norm(), t::norm(x), x.norm(1), x.norm(2, {1}), x.norm(2, {-2, -1}, true), t::norm(x, 2, {0}),
               x.norm(std::numeric_limits<double>::infinity()), t::norm(x, 1), x.norm(2, 1));
}

inline Values products() {
  const auto a = t::arange(6.0).reshape({2, 3});
  const auto b = t::arange(12.0).reshape({3, 4});
  const auto v = t::tensor({1.0, 2.0, 3.0});
  const auto batch = t::arange(12.0).reshape({2, 2, 3});
  const auto batches = t::arange(24.0).reshape({2, 3, 4});
  const auto n = t::tensor({{1, 2}, {3, 4}});
  return noted(a.mm(b), t::mm(a, b), a.matmul(b), t::matmul(a, b), t::matmul(v, v), a.matmul(v), v.matmul(b),
               batch.matmul(b), batch.matmul(batches), batch.matmul(v), t::matmul(v, batches), n.mm(n), a.t().mm(a),
               t::mm(b.t(), a.t()), t::matmul(t::ones({0, 3}), b), t::matmul(t::ones({2, 1, 2, 3}), batches));
}

inline Values joined() {
  const auto a = t::ones({2, 2});
  const auto b = t::zeros({1, 2});
  const auto c = t::full({2, 1}, 4.0);
  const std::vector<t::Tensor> list{a, c};
  return noted(t::cat({a, b}), t::cat({a, c}, 1), t::cat(list, -1), t::cat({a, b, a}, 0), t::stack({a, a + 1}),
               t::stack({a, a * 2}, 1), t::stack({a, a}, -1), t::cat({t::tensor({1, 2}), t::tensor({0.5})}));
}

inline Values a_small_model() {
  const auto inputs = t::tensor({{1.0, 2.0}, {3.0, 4.0}, {5.0, 6.0}});
  const auto targets = t::tensor({{1.0}, {2.0}, {3.0}});
  auto weight = t::tensor({{0.5}, {-0.25}});
  auto bias = t::zeros({1});
  for (int step = 0; step < 5; ++step) {
    const auto error = inputs.mm(weight) + bias - targets;
    weight -= 0.01 * inputs.t().mm(error) / inputs.size(0);
    bias.sub_(error.mean(0), 0.01);
  }
  const auto loss = (inputs.matmul(weight) + bias - targets).pow(2).mean();
  return noted(weight, bias, loss);
}

}  // namespace programs
