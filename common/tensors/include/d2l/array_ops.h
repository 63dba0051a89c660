// SPDX-License-Identifier: MIT
/// @file
/// Operations on whole arrays as free functions: reductions, products, shapes, order, and elements at other places.
/// Each is the member of Tensor of the same name.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "d2l/indexing.h"  // IWYU pragma: export
#include "d2l/tensor.h"

namespace d2l {

/// eˣ / Σ eˣ along `dim`; see Tensor::softmax().
inline Tensor softmax(const Tensor& x, std::int64_t dim) { return x.softmax(dim); }
/// x − log Σ eˣ along `dim`; see Tensor::log_softmax().
inline Tensor log_softmax(const Tensor& x, std::int64_t dim) { return x.log_softmax(dim); }

///@{
/// The sum over all elements, or over `dims`; see Tensor::sum().
inline Tensor sum(const Tensor& x) { return x.sum(); }
inline Tensor sum(const Tensor& x, IntArrayRef dims, bool keepdim = false) { return x.sum(dims, keepdim); }
///@}
///@{
/// The mean over all elements, or over `dims`; see Tensor::mean().
inline Tensor mean(const Tensor& x) { return x.mean(); }
inline Tensor mean(const Tensor& x, IntArrayRef dims, bool keepdim = false) { return x.mean(dims, keepdim); }
///@}
///@{
/// The largest element, or those along `dim` and their indices, or the larger of each two elements; see
/// Tensor::max().
inline Tensor max(const Tensor& x) { return x.max(); }
inline std::tuple<Tensor, Tensor> max(const Tensor& x, std::int64_t dim, bool keepdim = false) {
  return x.max(dim, keepdim);
}
inline Tensor max(const Tensor& a, const Tensor& b) { return a.maximum(b); }
///@}
///@{
/// The smallest element, or those along `dim` and their indices, or the smaller of each two elements; see
/// Tensor::min().
inline Tensor min(const Tensor& x) { return x.min(); }
inline std::tuple<Tensor, Tensor> min(const Tensor& x, std::int64_t dim, bool keepdim = false) {
  return x.min(dim, keepdim);
}
inline Tensor min(const Tensor& a, const Tensor& b) { return a.minimum(b); }
///@}
/// The index of the largest element; see Tensor::argmax().
inline Tensor argmax(const Tensor& x, std::optional<std::int64_t> dim = std::nullopt, bool keepdim = false) {
  return x.argmax(dim, keepdim);
}
/// The index of the smallest element; see Tensor::argmin().
inline Tensor argmin(const Tensor& x, std::optional<std::int64_t> dim = std::nullopt, bool keepdim = false) {
  return x.argmin(dim, keepdim);
}
///@{
/// The variance or standard deviation over all elements, or over `dims`; see Tensor::var().
inline Tensor var(const Tensor& x, IntArrayRef dims = {}, std::optional<Scalar> correction = 1, bool keepdim = false) {
  return x.var(dims, correction, keepdim);
}
inline Tensor std(const Tensor& x, IntArrayRef dims = {}, std::optional<Scalar> correction = 1, bool keepdim = false) {
  return x.std(dims, correction, keepdim);
}
inline Tensor var(const Tensor& x, std::same_as<bool> auto unbiased) { return x.var(unbiased); }
inline Tensor std(const Tensor& x, std::same_as<bool> auto unbiased) { return x.std(unbiased); }
///@}
///@{
/// The product of all elements, or along `dim`; see Tensor::prod().
inline Tensor prod(const Tensor& x) { return x.prod(); }
inline Tensor prod(const Tensor& x, std::int64_t dim, bool keepdim = false) { return x.prod(dim, keepdim); }
///@}
///@{
/// Whether all elements, or any, are not 0; see Tensor::all().
inline Tensor all(const Tensor& x, IntArrayRef dims = {}, bool keepdim = false) { return x.all(dims, keepdim); }
inline Tensor any(const Tensor& x, IntArrayRef dims = {}, bool keepdim = false) { return x.any(dims, keepdim); }
///@}
/// log Σ eˣ over `dims`; see Tensor::logsumexp().
inline Tensor logsumexp(const Tensor& x, IntArrayRef dims, bool keepdim = false) { return x.logsumexp(dims, keepdim); }
/// The sums of the elements up to each; see Tensor::cumsum().
inline Tensor cumsum(const Tensor& x, std::int64_t dim) { return x.cumsum(dim); }
///@{
/// The norm of order p over all elements, or over `dims`; see Tensor::norm().
inline Tensor norm(const Tensor& x, Scalar p = 2) { return x.norm(p); }
inline Tensor norm(const Tensor& x, std::optional<Scalar> p, IntArrayRef dims, bool keepdim = false) {
  return x.norm(p, dims, keepdim);
}
///@}
/// How exactly a GPU multiplies float32 matrices: "highest", the default, is with float32 arithmetic; "high" and
/// "medium" let tensor cores round the inputs to TF32, with 10 bits after the point, which is faster. Virtual GPUs in
/// host memory and the CPU accept each, and always compute as with "highest". ValueError for another name.
void set_float32_matmul_precision(const std::string& precision);
/// The name that set_float32_matmul_precision() was given last.
std::string get_float32_matmul_precision();
/// (…, n, k) × (…, k, m) → (…, n, m); see Tensor::matmul().
inline Tensor matmul(const Tensor& a, const Tensor& b) { return a.matmul(b); }
/// (n, k) × (k, m) → (n, m); see Tensor::mm().
inline Tensor mm(const Tensor& a, const Tensor& b) { return a.mm(b); }
/// (b, n, k) × (b, k, m) → (b, n, m); see Tensor::bmm().
inline Tensor bmm(const Tensor& a, const Tensor& b) { return a.bmm(b); }
/// (n, k) × (k) → (n); see Tensor::mv().
inline Tensor mv(const Tensor& a, const Tensor& b) { return a.mv(b); }
/// (k) × (k) → (); see Tensor::dot().
inline Tensor dot(const Tensor& a, const Tensor& b) { return a.dot(b); }
/// (n) × (m) → (n, m); see Tensor::outer().
inline Tensor outer(const Tensor& a, const Tensor& b) { return a.outer(b); }
/// Whether all elements are equal within the tolerances; see Tensor::allclose().
inline bool allclose(const Tensor& a, const Tensor& b, double rtol = 1e-5, double atol = 1e-8, bool equal_nan = false) {
  return a.allclose(b, rtol, atol, equal_nan);
}
/// Whether shapes and values are equal; see Tensor::equal().
inline bool equal(const Tensor& a, const Tensor& b) { return a.equal(b); }

/// The same elements with other sizes; see Tensor::reshape().
inline Tensor reshape(const Tensor& x, IntArrayRef sizes) { return x.reshape(sizes); }
/// Two dimensions exchanged; see Tensor::transpose().
inline Tensor transpose(const Tensor& x, std::int64_t dim0, std::int64_t dim1) { return x.transpose(dim0, dim1); }
/// (a, b) → (b, a); see Tensor::t().
inline Tensor t(const Tensor& x) { return x.t(); }
/// The dimensions in another order; see Tensor::permute().
inline Tensor permute(const Tensor& x, IntArrayRef dims) { return x.permute(dims); }
/// Adds a dimension of size 1; see Tensor::unsqueeze().
inline Tensor unsqueeze(const Tensor& x, std::int64_t dim) { return x.unsqueeze(dim); }
///@{
/// Removes dimensions of size 1; see Tensor::squeeze().
inline Tensor squeeze(const Tensor& x) { return x.squeeze(); }
inline Tensor squeeze(const Tensor& x, std::int64_t dim) { return x.squeeze(dim); }
///@}
/// The elements at one index; see Tensor::select().
inline Tensor select(const Tensor& x, std::int64_t dim, std::int64_t index) { return x.select(dim, index); }
/// The elements at a range of indices; see Tensor::slice().
inline Tensor slice(const Tensor& x, std::int64_t dim = 0, std::optional<std::int64_t> start = std::nullopt,
                    std::optional<std::int64_t> end = std::nullopt, std::int64_t step = 1) {
  return x.slice(dim, start, end, step);
}
/// Several dimensions as one; see Tensor::flatten().
inline Tensor flatten(const Tensor& x, std::int64_t start_dim = 0, std::int64_t end_dim = -1) {
  return x.flatten(start_dim, end_dim);
}
/// One dimension as several; see Tensor::unflatten().
inline Tensor unflatten(const Tensor& x, std::int64_t dim, IntArrayRef sizes) { return x.unflatten(dim, sizes); }
///@{
/// Dimensions at other places; see Tensor::movedim().
inline Tensor movedim(const Tensor& x, std::int64_t source, std::int64_t destination) {
  return x.movedim(source, destination);
}
inline Tensor movedim(const Tensor& x, IntArrayRef source, IntArrayRef destination) {
  return x.movedim(source, destination);
}
///@}
/// Broadcast to `sizes`; see Tensor::expand().
inline Tensor broadcast_to(const Tensor& x, IntArrayRef sizes) { return x.broadcast_to(sizes); }
/// Some indices of a dimension; see Tensor::narrow().
inline Tensor narrow(const Tensor& x, std::int64_t dim, std::int64_t start, std::int64_t length) {
  return x.narrow(dim, start, length);
}
///@{
/// Parts along a dimension; see Tensor::split() and Tensor::chunk().
inline std::vector<Tensor> split(const Tensor& x, std::int64_t split_size, std::int64_t dim = 0) {
  return x.split(split_size, dim);
}
inline std::vector<Tensor> split(const Tensor& x, IntArrayRef split_sizes, std::int64_t dim = 0) {
  return x.split(split_sizes, dim);
}
inline std::vector<Tensor> split_with_sizes(const Tensor& x, IntArrayRef split_sizes, std::int64_t dim = 0) {
  return x.split_with_sizes(split_sizes, dim);
}
inline std::vector<Tensor> chunk(const Tensor& x, std::int64_t chunks, std::int64_t dim = 0) {
  return x.chunk(chunks, dim);
}
///@}
/// The parts at each index of `dim`; see Tensor::unbind().
inline std::vector<Tensor> unbind(const Tensor& x, std::int64_t dim = 0) { return x.unbind(dim); }
///@{
/// Two dimensions exchanged; see Tensor::transpose().
inline Tensor swapaxes(const Tensor& x, std::int64_t axis0, std::int64_t axis1) { return x.swapaxes(axis0, axis1); }
inline Tensor swapdims(const Tensor& x, std::int64_t dim0, std::int64_t dim1) { return x.swapdims(dim0, dim1); }
///@}
/// The elements in order along `dim`, and their indices; see Tensor::sort().
inline std::tuple<Tensor, Tensor> sort(const Tensor& x, std::int64_t dim = -1, bool descending = false) {
  return x.sort(dim, descending);
}
/// The indices of sort(); see Tensor::argsort().
inline Tensor argsort(const Tensor& x, std::int64_t dim = -1, bool descending = false) {
  return x.argsort(dim, descending);
}
/// The largest or smallest elements along `dim`, and their indices; see Tensor::topk().
inline std::tuple<Tensor, Tensor> topk(const Tensor& x, std::int64_t k, std::int64_t dim = -1, bool largest = true,
                                       bool sorted = true) {
  return x.topk(k, dim, largest, sorted);
}
/// The elements at a list of indices along `dim`; see Tensor::index_select().
inline Tensor index_select(const Tensor& x, std::int64_t dim, const Tensor& index) {
  return x.index_select(dim, index);
}
/// One element for each index along `dim`; see Tensor::gather().
inline Tensor gather(const Tensor& x, std::int64_t dim, const Tensor& index) { return x.gather(dim, index); }
/// The elements where the mask is true; see Tensor::masked_select().
inline Tensor masked_select(const Tensor& x, const Tensor& mask) { return x.masked_select(mask); }
/// The indices of the elements that are not 0; see Tensor::nonzero().
inline Tensor nonzero(const Tensor& x) { return x.nonzero(); }
///@{
/// 1 with a probability, else 0; see Tensor::bernoulli().
inline Tensor bernoulli(const Tensor& x) { return x.bernoulli(); }
inline Tensor bernoulli(const Tensor& x, double p) { return x.bernoulli(p); }
///@}
/// Indices that are drawn with probabilities; see Tensor::multinomial().
inline Tensor multinomial(const Tensor& x, std::int64_t num_samples, bool replacement = false) {
  return x.multinomial(num_samples, replacement);
}
/// The elements in reverse order along each of `dims`; see Tensor::flip().
inline Tensor flip(const Tensor& x, IntArrayRef dims) { return x.flip(dims); }
/// The elements moved along dimensions; see Tensor::roll().
inline Tensor roll(const Tensor& x, IntArrayRef shifts, IntArrayRef dims = {}) { return x.roll(shifts, dims); }
///@{
/// Each element several times; see Tensor::repeat_interleave().
inline Tensor repeat_interleave(const Tensor& x, std::int64_t repeats, std::optional<std::int64_t> dim = std::nullopt) {
  return x.repeat_interleave(repeats, dim);
}
inline Tensor repeat_interleave(const Tensor& x, const Tensor& repeats,
                                std::optional<std::int64_t> dim = std::nullopt) {
  return x.repeat_interleave(repeats, dim);
}
///@}
///@{
/// The lower or upper triangle of each matrix; see Tensor::tril().
inline Tensor tril(const Tensor& x, std::int64_t diagonal = 0) { return x.tril(diagonal); }
inline Tensor triu(const Tensor& x, std::int64_t diagonal = 0) { return x.triu(diagonal); }
///@}
/// A diagonal as a matrix, or the diagonal of a matrix; see Tensor::diag().
inline Tensor diag(const Tensor& x, std::int64_t diagonal = 0) { return x.diag(diagonal); }
/// (…) of classes (int64) → (…, num_classes), int64: 1 at the class, else 0. Without `num_classes` the largest class is
/// the last. TypeError for another dtype, ValueError for a class out of range (on a GPU, unless the number of classes
/// is inferred, a fatal error), and if the number cannot be inferred.
Tensor one_hot(const Tensor& classes, std::int64_t num_classes = -1);
/// A new tensor with the same values; see Tensor::clone().
inline Tensor clone(const Tensor& x) { return x.clone(); }

/// Sums of products by Einstein's convention: `einsum("ij,jk->ik", {a, b})` is a × b. The equation names each dimension
/// of each operand by a letter; dimensions of one letter go together, and those that are not after "->" are summed
/// over. Without "->" the letters that occur once are the result's, in alphabetical order. "..." stands for further
/// dimensions, which broadcast. ValueError for an equation that is not of this form or does not fit the operands,
/// ShapeError for sizes that differ; errors of bmm().
Tensor einsum(std::string_view equation, const std::vector<Tensor>& operands);
/// input × weightᵀ + bias: input (…, in), weight (out, in), bias (out) or undefined; the result is (…, out). ShapeError
/// if the sizes do not fit, TypeError for two dtypes.
Tensor linear(const Tensor& input, const Tensor& weight, const Tensor& bias = {});
/// Joins tensors along an existing dimension; ValueError for an empty list, IndexError for a dimension that does not
/// exist, ShapeError if another size differs.
Tensor cat(const std::vector<Tensor>& tensors, std::int64_t dim = 0);
/// Joins tensors of one shape along a new dimension; ValueError for an empty list, ShapeError if the shapes differ.
Tensor stack(const std::vector<Tensor>& tensors, std::int64_t dim = 0);

}  // namespace d2l
