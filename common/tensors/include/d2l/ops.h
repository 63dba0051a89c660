// SPDX-License-Identifier: MIT
/// @file
/// Operations as free functions; each is the member of Tensor of the same name. Those on single elements are here,
/// those on whole arrays in array_ops.h.
#pragma once

#include <cstdint>
#include <optional>

#include "d2l/array_ops.h"  // IWYU pragma: export
#include "d2l/tensor.h"

namespace d2l {

///@{
/// a + alpha × b, element by element; see Tensor::add().
inline Tensor add(const Tensor& a, const Tensor& b, Scalar alpha = 1) { return a.add(b, alpha); }
inline Tensor add(const Tensor& a, Scalar b, Scalar alpha = 1) { return a.add(b, alpha); }
///@}
///@{
/// a − alpha × b, element by element; see Tensor::sub().
inline Tensor sub(const Tensor& a, const Tensor& b, Scalar alpha = 1) { return a.sub(b, alpha); }
inline Tensor sub(const Tensor& a, Scalar b, Scalar alpha = 1) { return a.sub(b, alpha); }
///@}
///@{
/// a × b, element by element; see Tensor::mul().
inline Tensor mul(const Tensor& a, const Tensor& b) { return a.mul(b); }
inline Tensor mul(const Tensor& a, Scalar b) { return a.mul(b); }
///@}
///@{
/// a / b, element by element; see Tensor::div().
inline Tensor div(const Tensor& a, const Tensor& b) { return a.div(b); }
inline Tensor div(const Tensor& a, Scalar b) { return a.div(b); }
///@}
///@{
/// a to the power of b, element by element; see Tensor::pow().
inline Tensor pow(const Tensor& a, const Tensor& b) { return a.pow(b); }
inline Tensor pow(const Tensor& a, Scalar b) { return a.pow(b); }
///@}
///@{
/// The comparison of each element of a with that of b: a bool tensor; see Tensor::eq().
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
///@}
/// `base` to the power of each element; see Tensor::pow().
Tensor pow(Scalar base, const Tensor& exponent);

///@{
/// a + b; see Tensor::add().
inline Tensor operator+(const Tensor& a, const Tensor& b) { return a.add(b); }
inline Tensor operator+(const Tensor& a, Scalar b) { return a.add(b); }
inline Tensor operator+(Scalar a, const Tensor& b) { return b.add(a); }
///@}
///@{
/// a − b; see Tensor::sub().
inline Tensor operator-(const Tensor& a, const Tensor& b) { return a.sub(b); }
inline Tensor operator-(const Tensor& a, Scalar b) { return a.sub(b); }
Tensor operator-(Scalar a, const Tensor& b);
///@}
///@{
/// a × b, element by element; see Tensor::mul().
inline Tensor operator*(const Tensor& a, const Tensor& b) { return a.mul(b); }
inline Tensor operator*(const Tensor& a, Scalar b) { return a.mul(b); }
inline Tensor operator*(Scalar a, const Tensor& b) { return b.mul(a); }
///@}
///@{
/// a / b; see Tensor::div().
inline Tensor operator/(const Tensor& a, const Tensor& b) { return a.div(b); }
inline Tensor operator/(const Tensor& a, Scalar b) { return a.div(b); }
Tensor operator/(Scalar a, const Tensor& b);
///@}
///@{
/// The comparison of each element of a with that of b: a bool tensor; see Tensor::eq().
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
///@}

/// −x; see Tensor::neg().
inline Tensor neg(const Tensor& x) { return x.neg(); }
/// |x|; see Tensor::abs().
inline Tensor abs(const Tensor& x) { return x.abs(); }
/// √x; see Tensor::sqrt().
inline Tensor sqrt(const Tensor& x) { return x.sqrt(); }
/// eˣ; see Tensor::exp().
inline Tensor exp(const Tensor& x) { return x.exp(); }
/// The natural logarithm of x; see Tensor::log().
inline Tensor log(const Tensor& x) { return x.log(); }
/// max(x, 0); see Tensor::relu().
inline Tensor relu(const Tensor& x) { return x.relu(); }
/// 1 / (1 + e⁻ˣ); see Tensor::sigmoid().
inline Tensor sigmoid(const Tensor& x) { return x.sigmoid(); }
/// The hyperbolic tangent of x; see Tensor::tanh().
inline Tensor tanh(const Tensor& x) { return x.tanh(); }
/// The sine of x; see Tensor::sin().
inline Tensor sin(const Tensor& x) { return x.sin(); }
/// The cosine of x; see Tensor::cos().
inline Tensor cos(const Tensor& x) { return x.cos(); }
/// x²; see Tensor::square().
inline Tensor square(const Tensor& x) { return x.square(); }
/// The largest integer that is not larger than x; see Tensor::floor().
inline Tensor floor(const Tensor& x) { return x.floor(); }
/// The smallest integer that is not smaller than x; see Tensor::ceil().
inline Tensor ceil(const Tensor& x) { return x.ceil(); }
///@{
/// The integer that is nearest to x, or the number with this many decimals; see Tensor::round().
inline Tensor round(const Tensor& x) { return x.round(); }
inline Tensor round(const Tensor& x, std::int64_t decimals) { return x.round(decimals); }
///@}
/// 1, 0 or −1 by the sign of x; see Tensor::sign().
inline Tensor sign(const Tensor& x) { return x.sign(); }
/// 1 / x; see Tensor::reciprocal().
inline Tensor reciprocal(const Tensor& x) { return x.reciprocal(); }
/// 1 / √x; see Tensor::rsqrt().
inline Tensor rsqrt(const Tensor& x) { return x.rsqrt(); }
/// The error function of x; see Tensor::erf().
inline Tensor erf(const Tensor& x) { return x.erf(); }
/// The natural logarithm of 1 + x; see Tensor::log1p().
inline Tensor log1p(const Tensor& x) { return x.log1p(); }
/// eˣ − 1; see Tensor::expm1().
inline Tensor expm1(const Tensor& x) { return x.expm1(); }
/// Whether each element is nan; see Tensor::isnan().
inline Tensor isnan(const Tensor& x) { return x.isnan(); }
/// Whether each element is an infinity; see Tensor::isinf().
inline Tensor isinf(const Tensor& x) { return x.isinf(); }
/// Whether each element is neither nan nor an infinity; see Tensor::isfinite().
inline Tensor isfinite(const Tensor& x) { return x.isfinite(); }
/// Whether each element is 0; see Tensor::logical_not().
inline Tensor logical_not(const Tensor& x) { return x.logical_not(); }
///@{
/// Each element within the bounds; see Tensor::clamp().
inline Tensor clamp(const Tensor& x, std::optional<Scalar> min, std::optional<Scalar> max = std::nullopt) {
  return x.clamp(min, max);
}
inline Tensor clamp(const Tensor& x, const std::optional<Tensor>& min = {}, const std::optional<Tensor>& max = {}) {
  return x.clamp(min, max);
}
inline Tensor clamp_min(const Tensor& x, Scalar min) { return x.clamp_min(min); }
inline Tensor clamp_min(const Tensor& x, const Tensor& min) { return x.clamp_min(min); }
inline Tensor clamp_max(const Tensor& x, Scalar max) { return x.clamp_max(max); }
inline Tensor clamp_max(const Tensor& x, const Tensor& max) { return x.clamp_max(max); }
///@}

///@{
/// The rest of a / b, with the sign of b; see Tensor::remainder().
inline Tensor remainder(const Tensor& a, const Tensor& b) { return a.remainder(b); }
inline Tensor remainder(const Tensor& a, Scalar b) { return a.remainder(b); }
Tensor remainder(Scalar a, const Tensor& b);
inline Tensor operator%(const Tensor& a, const Tensor& b) { return a.remainder(b); }
inline Tensor operator%(const Tensor& a, Scalar b) { return a.remainder(b); }
inline Tensor operator%(Scalar a, const Tensor& b) { return remainder(a, b); }
///@}
///@{
/// a / b, rounded down; see Tensor::floor_divide().
inline Tensor floor_divide(const Tensor& a, const Tensor& b) { return a.floor_divide(b); }
inline Tensor floor_divide(const Tensor& a, Scalar b) { return a.floor_divide(b); }
///@}
/// The larger of each two elements; see Tensor::maximum().
inline Tensor maximum(const Tensor& a, const Tensor& b) { return a.maximum(b); }
/// The smaller of each two elements; see Tensor::minimum().
inline Tensor minimum(const Tensor& a, const Tensor& b) { return a.minimum(b); }
/// Whether both elements are not 0; see Tensor::logical_and().
inline Tensor logical_and(const Tensor& a, const Tensor& b) { return a.logical_and(b); }
/// Whether one of two elements is not 0; see Tensor::logical_or().
inline Tensor logical_or(const Tensor& a, const Tensor& b) { return a.logical_or(b); }
/// Whether exactly one of two elements is not 0; see Tensor::logical_xor().
inline Tensor logical_xor(const Tensor& a, const Tensor& b) { return a.logical_xor(b); }
///@{
/// a where `condition`, which is bool, is true, else b: shapes broadcast, dtypes promote. ShapeError unless the shapes
/// broadcast, TypeError for another dtype of the condition than bool or uint8.
Tensor where(const Tensor& condition, const Tensor& a, const Tensor& b);
Tensor where(const Tensor& condition, const Tensor& a, Scalar b);
Tensor where(const Tensor& condition, Scalar a, const Tensor& b);
Tensor where(const Tensor& condition, Scalar a, Scalar b);
///@}
///@{
/// `value` where `mask` is true, else x; see Tensor::masked_fill().
inline Tensor masked_fill(const Tensor& x, const Tensor& mask, Scalar value) { return x.masked_fill(mask, value); }
inline Tensor masked_fill(const Tensor& x, const Tensor& mask, const Tensor& value) {
  return x.masked_fill(mask, value);
}
///@}

}  // namespace d2l
