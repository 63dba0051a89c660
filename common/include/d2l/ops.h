// SPDX-License-Identifier: MIT
// Operations as free functions; each is the member of Tensor of the same name.
#pragma once

#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "d2l/tensor.h"

namespace d2l {

inline Tensor add(const Tensor& a, const Tensor& b, Scalar alpha = 1) { return a.add(b, alpha); }
inline Tensor add(const Tensor& a, Scalar b, Scalar alpha = 1) { return a.add(b, alpha); }
inline Tensor sub(const Tensor& a, const Tensor& b, Scalar alpha = 1) { return a.sub(b, alpha); }
inline Tensor sub(const Tensor& a, Scalar b, Scalar alpha = 1) { return a.sub(b, alpha); }
inline Tensor mul(const Tensor& a, const Tensor& b) { return a.mul(b); }
inline Tensor mul(const Tensor& a, Scalar b) { return a.mul(b); }
inline Tensor div(const Tensor& a, const Tensor& b) { return a.div(b); }
inline Tensor div(const Tensor& a, Scalar b) { return a.div(b); }
inline Tensor pow(const Tensor& a, const Tensor& b) { return a.pow(b); }
inline Tensor pow(const Tensor& a, Scalar b) { return a.pow(b); }
inline Tensor eq(const Tensor& a, const Tensor& b) { return a.eq(b); }
inline Tensor eq(const Tensor& a, Scalar b) { return a.eq(b); }
inline Tensor ne(const Tensor& a, const Tensor& b) { return a.ne(b); }
inline Tensor ne(const Tensor& a, Scalar b) { return a.ne(b); }
inline Tensor lt(const Tensor& a, const Tensor& b) { return a.lt(b); }
inline Tensor lt(const Tensor& a, Scalar b) { return a.lt(b); }
inline Tensor le(const Tensor& a, const Tensor& b) { return a.le(b); }
inline Tensor le(const Tensor& a, Scalar b) { return a.le(b); }
inline Tensor gt(const Tensor& a, const Tensor& b) { return a.gt(b); }
inline Tensor gt(const Tensor& a, Scalar b) { return a.gt(b); }
inline Tensor ge(const Tensor& a, const Tensor& b) { return a.ge(b); }
inline Tensor ge(const Tensor& a, Scalar b) { return a.ge(b); }
Tensor pow(Scalar base, const Tensor& exponent);

inline Tensor operator+(const Tensor& a, const Tensor& b) { return a.add(b); }
inline Tensor operator+(const Tensor& a, Scalar b) { return a.add(b); }
inline Tensor operator+(Scalar a, const Tensor& b) { return b.add(a); }
inline Tensor operator-(const Tensor& a, const Tensor& b) { return a.sub(b); }
inline Tensor operator-(const Tensor& a, Scalar b) { return a.sub(b); }
Tensor operator-(Scalar a, const Tensor& b);
inline Tensor operator*(const Tensor& a, const Tensor& b) { return a.mul(b); }
inline Tensor operator*(const Tensor& a, Scalar b) { return a.mul(b); }
inline Tensor operator*(Scalar a, const Tensor& b) { return b.mul(a); }
inline Tensor operator/(const Tensor& a, const Tensor& b) { return a.div(b); }
inline Tensor operator/(const Tensor& a, Scalar b) { return a.div(b); }
Tensor operator/(Scalar a, const Tensor& b);
inline Tensor operator==(const Tensor& a, const Tensor& b) { return a.eq(b); }
inline Tensor operator==(const Tensor& a, Scalar b) { return a.eq(b); }
inline Tensor operator==(Scalar a, const Tensor& b) { return b.eq(a); }
inline Tensor operator!=(const Tensor& a, const Tensor& b) { return a.ne(b); }
inline Tensor operator!=(const Tensor& a, Scalar b) { return a.ne(b); }
inline Tensor operator!=(Scalar a, const Tensor& b) { return b.ne(a); }
inline Tensor operator<(const Tensor& a, const Tensor& b) { return a.lt(b); }
inline Tensor operator<(const Tensor& a, Scalar b) { return a.lt(b); }
inline Tensor operator<(Scalar a, const Tensor& b) { return b.gt(a); }
inline Tensor operator<=(const Tensor& a, const Tensor& b) { return a.le(b); }
inline Tensor operator<=(const Tensor& a, Scalar b) { return a.le(b); }
inline Tensor operator<=(Scalar a, const Tensor& b) { return b.ge(a); }
inline Tensor operator>(const Tensor& a, const Tensor& b) { return a.gt(b); }
inline Tensor operator>(const Tensor& a, Scalar b) { return a.gt(b); }
inline Tensor operator>(Scalar a, const Tensor& b) { return b.lt(a); }
inline Tensor operator>=(const Tensor& a, const Tensor& b) { return a.ge(b); }
inline Tensor operator>=(const Tensor& a, Scalar b) { return a.ge(b); }
inline Tensor operator>=(Scalar a, const Tensor& b) { return b.le(a); }

inline Tensor neg(const Tensor& x) { return x.neg(); }
inline Tensor abs(const Tensor& x) { return x.abs(); }
inline Tensor sqrt(const Tensor& x) { return x.sqrt(); }
inline Tensor exp(const Tensor& x) { return x.exp(); }
inline Tensor log(const Tensor& x) { return x.log(); }
inline Tensor relu(const Tensor& x) { return x.relu(); }
inline Tensor sigmoid(const Tensor& x) { return x.sigmoid(); }
inline Tensor tanh(const Tensor& x) { return x.tanh(); }

inline Tensor sum(const Tensor& x) { return x.sum(); }
inline Tensor sum(const Tensor& x, IntArrayRef dims, bool keepdim = false) { return x.sum(dims, keepdim); }
inline Tensor mean(const Tensor& x) { return x.mean(); }
inline Tensor mean(const Tensor& x, IntArrayRef dims, bool keepdim = false) { return x.mean(dims, keepdim); }
inline Tensor max(const Tensor& x) { return x.max(); }
inline std::tuple<Tensor, Tensor> max(const Tensor& x, std::int64_t dim, bool keepdim = false) {
  return x.max(dim, keepdim);
}
inline Tensor min(const Tensor& x) { return x.min(); }
inline std::tuple<Tensor, Tensor> min(const Tensor& x, std::int64_t dim, bool keepdim = false) {
  return x.min(dim, keepdim);
}
inline Tensor argmax(const Tensor& x, std::optional<std::int64_t> dim = std::nullopt, bool keepdim = false) {
  return x.argmax(dim, keepdim);
}
inline Tensor norm(const Tensor& x, Scalar p = 2) { return x.norm(p); }
inline Tensor norm(const Tensor& x, std::optional<Scalar> p, IntArrayRef dims, bool keepdim = false) {
  return x.norm(p, dims, keepdim);
}
inline Tensor matmul(const Tensor& a, const Tensor& b) { return a.matmul(b); }
inline Tensor mm(const Tensor& a, const Tensor& b) { return a.mm(b); }
inline bool allclose(const Tensor& a, const Tensor& b, double rtol = 1e-5, double atol = 1e-8, bool equal_nan = false) {
  return a.allclose(b, rtol, atol, equal_nan);
}
inline bool equal(const Tensor& a, const Tensor& b) { return a.equal(b); }

inline Tensor reshape(const Tensor& x, IntArrayRef sizes) { return x.reshape(sizes); }
inline Tensor transpose(const Tensor& x, std::int64_t dim0, std::int64_t dim1) { return x.transpose(dim0, dim1); }
inline Tensor t(const Tensor& x) { return x.t(); }
inline Tensor permute(const Tensor& x, IntArrayRef dims) { return x.permute(dims); }
inline Tensor unsqueeze(const Tensor& x, std::int64_t dim) { return x.unsqueeze(dim); }
inline Tensor squeeze(const Tensor& x) { return x.squeeze(); }
inline Tensor squeeze(const Tensor& x, std::int64_t dim) { return x.squeeze(dim); }
inline Tensor select(const Tensor& x, std::int64_t dim, std::int64_t index) { return x.select(dim, index); }
inline Tensor slice(const Tensor& x, std::int64_t dim = 0, std::optional<std::int64_t> start = std::nullopt,
                    std::optional<std::int64_t> end = std::nullopt, std::int64_t step = 1) {
  return x.slice(dim, start, end, step);
}
inline Tensor clone(const Tensor& x) { return x.clone(); }

inline Tensor log_softmax(const Tensor& x, std::int64_t dim) { return x.log_softmax(dim); }

/// How a loss turns its elements into its result.
namespace Reduction {
enum Reduction : std::int8_t { None, Mean, Sum };
}

/// input × weightᵀ + bias: input (…, in), weight (out, in), bias (out) or undefined; the result is (…, out).
Tensor linear(const Tensor& input, const Tensor& weight, const Tensor& bias = {});
/// (input - target)², averaged unless asked otherwise; the shapes broadcast.
Tensor mse_loss(const Tensor& input, const Tensor& target, std::int64_t reduction = Reduction::Mean);
/// -log softmax(input) at the target's class: input (N, C, …) or (C), target int64 of the same shape without C; classes
/// equal to `ignore_index` do not count. A class out of range is an IndexError on the CPU, and fatal for a GPU.
Tensor cross_entropy_loss(const Tensor& input, const Tensor& target, std::int64_t reduction = Reduction::Mean,
                          std::int64_t ignore_index = -100);

/// Joins tensors along a dimension that they have; ValueError for an empty list.
Tensor cat(const std::vector<Tensor>& tensors, std::int64_t dim = 0);
/// Joins tensors of one shape along a new dimension.
Tensor stack(const std::vector<Tensor>& tensors, std::int64_t dim = 0);

}  // namespace d2l
