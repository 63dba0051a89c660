// SPDX-License-Identifier: MIT
/// @file
/// TensorMembers: members of Tensor for further shapes, reductions and products, order along a dimension, and elements
/// at other places.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "d2l/scalar.h"
#include "d2l/shape.h"
#include "d2l/tensor_base.h"

namespace d2l {

class Tensor;
namespace indexing {
class TensorIndex;
}  // namespace indexing

/// Members of Tensor, the only class that derives from this one.
class TensorMembers : public TensorBase {
 public:
  // Views.
  /// The dimensions from `start_dim` to `end_dim` as one, by reshape(); ShapeError if the first comes after the last.
  Tensor flatten(std::int64_t start_dim = 0, std::int64_t end_dim = -1) const;
  /// The dimension `dim` as several of these sizes, one of which may be -1; ShapeError unless they fit.
  Tensor unflatten(std::int64_t dim, IntArrayRef sizes) const;
  Tensor T() const;        ///< the dimensions in reverse order
  Tensor numpy_T() const;  ///< T(), by LibTorch's other name
  Tensor mT() const;       ///< (…, a, b) → (…, b, a); ShapeError for fewer than two dimensions
  Tensor broadcast_to(IntArrayRef sizes) const;  ///< expand()
  ///@{
  /// transpose(), by its other names.
  Tensor swapaxes(std::int64_t axis0, std::int64_t axis1) const;
  Tensor swapdims(std::int64_t dim0, std::int64_t dim1) const;
  ///@}
  ///@{
  /// view() or expand() with the sizes of another tensor.
  Tensor view_as(const Tensor& other) const;
  Tensor expand_as(const Tensor& other) const;
  ///@}
  /// to() with the dtype and the device of another tensor.
  [[nodiscard]] Tensor type_as(const Tensor& other) const;
  ///@{
  /// The dimensions `source` at the places `destination`, and the others in their order; ShapeError unless the lists
  /// have one length and name each dimension once.
  Tensor movedim(std::int64_t source, std::int64_t destination) const;
  Tensor movedim(IntArrayRef source, IntArrayRef destination) const;
  ///@}
  /// `length` indices of `dim` from `start` on; IndexError for a start out of range, ValueError for a negative length,
  /// ShapeError if the dimension ends before, or does not exist.
  Tensor narrow(std::int64_t dim, std::int64_t start, std::int64_t length) const;
  ///@{
  /// Parts along `dim`: of `split_size` indices each (the last may be smaller), or of the given sizes. ValueError for a
  /// size that is negative, or 0, and for more than 2²⁴ parts; ShapeError unless the sizes add up, and for a tensor
  /// without dimensions.
  [[nodiscard]] std::vector<Tensor> split(std::int64_t split_size, std::int64_t dim = 0) const;
  [[nodiscard]] std::vector<Tensor> split(IntArrayRef split_sizes, std::int64_t dim = 0) const;
  [[nodiscard]] std::vector<Tensor> split_with_sizes(IntArrayRef split_sizes, std::int64_t dim = 0) const;
  ///@}
  /// At most `chunks` parts of equal size along `dim` (the last may be smaller); ValueError for `chunks` below 1 and
  /// for more than 2²⁴ parts; ShapeError for a tensor without dimensions.
  [[nodiscard]] std::vector<Tensor> chunk(std::int64_t chunks, std::int64_t dim = 0) const;
  /// select() of each index of `dim`; IndexError for a tensor without dimensions, ValueError for more than 2²⁴ indices.
  [[nodiscard]] std::vector<Tensor> unbind(std::int64_t dim = 0) const;
  /// Every window of `size` indices of `dimension`, `step` apart: the windows take its place, and their elements are a
  /// new last dimension. A view. ValueError for a negative size and a step below 1, ShapeError for a window that is too
  /// large, IndexError for no such dimension.
  Tensor unfold(std::int64_t dimension, std::int64_t size, std::int64_t step) const;

  // Reductions.
  /// The index (int64) of the smallest element; as argmax().
  Tensor argmin(std::optional<std::int64_t> dim = std::nullopt, bool keepdim = false) const;
  ///@{
  /// The variance, or the standard deviation, over all elements or `dims`: the squares are divided by the count minus
  /// `correction` (1; false is 0, for no correction). nan for no elements; TypeError unless floating point.
  Tensor var(IntArrayRef dims = {}, std::optional<Scalar> correction = 1, bool keepdim = false) const;
  Tensor std(IntArrayRef dims = {}, std::optional<Scalar> correction = 1, bool keepdim = false) const;
  Tensor var(std::same_as<bool> auto unbiased) const;
  Tensor std(std::same_as<bool> auto unbiased) const;
  ///@}
  ///@{
  /// The product of all elements, or along `dim`, 1 for none; int64 for integers and bools, else this dtype.
  Tensor prod() const;
  Tensor prod(std::int64_t dim, bool keepdim = false) const;
  ///@}
  ///@{
  /// Whether all elements, or any, are not 0, over all dimensions or `dims`: bool, but uint8 for uint8.
  Tensor all(IntArrayRef dims = {}, bool keepdim = false) const;
  Tensor any(IntArrayRef dims = {}, bool keepdim = false) const;
  ///@}
  /// log Σ eˣ over `dims`, without overflow; -inf for no elements; float32 for integers and bools.
  Tensor logsumexp(IntArrayRef dims, bool keepdim = false) const;
  /// The sums of the elements up to each along `dim`, of the same shape; dtypes as sum().
  Tensor cumsum(std::int64_t dim) const;

  // Products.
  /// (b, n, k) × (b, k, m) → (b, n, m); errors as matmul(), and ShapeError unless both have three dimensions.
  Tensor bmm(const Tensor& mat2) const;
  /// (n, k) × (k) → (n); errors as matmul(), and ShapeError for other numbers of dimensions.
  Tensor mv(const Tensor& vec) const;
  /// (k) × (k) → (), the sum of the products; errors as matmul(), and ShapeError unless both have one dimension.
  Tensor dot(const Tensor& tensor) const;
  /// (n) × (m) → (n, m), every product of two elements; dtypes as mul(). ShapeError unless both have one dimension.
  Tensor outer(const Tensor& vec2) const;

  // Order along a dimension. NaN is larger than any number; equal elements keep their order.
  /// The elements in ascending order along `dim`, or in descending order, and their indices (int64).
  [[nodiscard]] std::tuple<Tensor, Tensor> sort(std::int64_t dim = -1, bool descending = false) const;
  /// The indices (int64) of sort().
  Tensor argsort(std::int64_t dim = -1, bool descending = false) const;
  /// The `k` largest elements along `dim`, or the smallest, in their order, and their indices (int64); IndexError if
  /// there are fewer.
  [[nodiscard]] std::tuple<Tensor, Tensor> topk(std::int64_t k, std::int64_t dim = -1, bool largest = true,
                                                bool sorted = true) const;

  // Elements at other places, in a new tensor. An index out of range is an IndexError on the CPU, before anything is
  // written, and a fatal error on a GPU.
  /// The elements at `index` (one dimension, int64 or int32) along `dim`; IndexError for more dimensions, TypeError for
  /// another dtype, ShapeError unless a tensor without dimensions gets exactly one index.
  Tensor index_select(std::int64_t dim, const Tensor& index) const;
  /// For each element of `index` (int64), the element at that index along `dim` and at its place in the other
  /// dimensions; IndexError for an index out of range, ShapeError unless the other sizes fit, TypeError for another
  /// dtype.
  Tensor gather(std::int64_t dim, const Tensor& index) const;
  ///@{
  /// `x.index({Slice(0, 2), 1})`: the parts that a list names, one for each dimension, as `x[0:2, 1]` does in Python: a
  /// view, unless tensors are among them. A tensor of integers names places, which count from the end if negative; a
  /// bool tensor those where it is true, for whose number a GPU is waited for. IndexError for an index, a shape or a
  /// count that does not fit, TypeError for floating point, ValueError for a step that is not positive. The result of
  /// x[indices] is const: an assignment to it, which could only write to a copy, does not compile.
  Tensor index(const Tensor& indices) const;
  Tensor index(std::initializer_list<indexing::TensorIndex> indices) const;
  Tensor index(const std::vector<indexing::TensorIndex>& indices) const;
  const Tensor operator[](const Tensor& indices) const;  // NOLINT(*-const-return-type)
  ///@}
  ///@{
  /// Writes values, broadcast, into the part that index() would give; of several for one place the last stays, or with
  /// `accumulate` all are added. Errors as index(); ShapeError unless they broadcast, TypeError for another dtype at
  /// places that tensors name, ValueError as for a write in place. index_put() writes into a copy.
  Tensor& index_put_(std::initializer_list<indexing::TensorIndex> indices, const Tensor& values,
                     bool accumulate = false);
  Tensor& index_put_(std::initializer_list<indexing::TensorIndex> indices, const Scalar& value);
  Tensor& index_put_(const std::vector<indexing::TensorIndex>& indices, const Tensor& values, bool accumulate = false);
  Tensor& index_put_(const std::vector<indexing::TensorIndex>& indices, const Scalar& value);
  [[nodiscard]] Tensor index_put(const std::vector<indexing::TensorIndex>& indices, const Tensor& values,
                                 bool accumulate = false) const;
  ///@}
  /// The indices (int64) of the elements that are not 0, a row for each: (count, dimensions). The count is read from a
  /// GPU.
  [[nodiscard]] Tensor nonzero() const;
  /// The elements where `mask` (bool, broadcast) is true, as one dimension; their number is read from a GPU. TypeError
  /// unless the mask is bool, ShapeError unless the shapes broadcast.
  Tensor masked_select(const Tensor& mask) const;
  /// The elements in reverse order along each of `dims`; ShapeError for one that is named twice.
  Tensor flip(IntArrayRef dims) const;
  /// The elements moved by `shifts` places along `dims`, the last ones to the front; over all elements in row-major
  /// order without `dims`. ValueError unless there is a shift for each dimension, IndexError for no such dimension.
  Tensor roll(IntArrayRef shifts, IntArrayRef dims = {}) const;
  /// The whole tensor, `repeats` times along each dimension, of which there may be more than here; ShapeError for
  /// fewer, ValueError for a negative count.
  Tensor repeat(IntArrayRef repeats) const;
  ///@{
  /// Each element along `dim`, or of all in row-major order, `repeats` times. ValueError for a negative count;
  /// ShapeError or TypeError unless a tensor of counts has one integer, or one for each element; IndexError for a
  /// dimension that does not exist.
  Tensor repeat_interleave(std::int64_t repeats, std::optional<std::int64_t> dim = std::nullopt) const;
  Tensor repeat_interleave(const Tensor& repeats, std::optional<std::int64_t> dim = std::nullopt) const;
  ///@}
  ///@{
  /// The lower or upper triangle of each matrix, whose column − row is at most or at least `diagonal`, and 0 elsewhere;
  /// ShapeError for fewer than two dimensions.
  Tensor tril(std::int64_t diagonal = 0) const;
  Tensor triu(std::int64_t diagonal = 0) const;
  ///@}
  /// (n) → a matrix with the elements where column − row is `diagonal`; a matrix → those elements. ShapeError for other
  /// numbers of dimensions.
  Tensor diag(std::int64_t diagonal = 0) const;

  // Random numbers, the same on every device.
  ///@{
  /// 1 with the probability of each element, or with probability `p`, else 0; of this shape and dtype. The gradient is
  /// 0. TypeError unless floating point (without `p`), ValueError for a probability outside [0, 1].
  [[nodiscard]] Tensor bernoulli() const;
  [[nodiscard]] Tensor bernoulli(double p) const;
  ///@}
  /// `num_samples` indices (int64) of each row, drawn with probabilities in proportion to its elements, which are not
  /// negative; without `replacement` each at most once. (m) → (num_samples), (n, m) → (n, num_samples). ShapeError for
  /// another number of dimensions, TypeError unless floating point, ValueError for a count or a row that does not allow
  /// it; the rows of a GPU are read.
  [[nodiscard]] Tensor multinomial(std::int64_t num_samples, bool replacement = false) const;
  ///@{
  /// Draws every element anew: 1 with probability p, else 0; normal; uniform in [from, to). TypeError unless floating
  /// point (bernoulli_() takes any), ValueError for a probability outside [0, 1], a negative deviation, and from > to.
  Tensor& bernoulli_(double p = 0.5);
  Tensor& normal_(double mean = 0, double std = 1);
  Tensor& uniform_(double from = 0, double to = 1);
  ///@}

 protected:
  ///@{
  /// For Tensor.
  TensorMembers() = default;
  TensorMembers(const TensorMembers&) = default;
  TensorMembers(TensorMembers&&) noexcept = default;
  TensorMembers& operator=(const TensorMembers&) = default;
  TensorMembers& operator=(TensorMembers&&) noexcept = default;
  ~TensorMembers() = default;
  explicit TensorMembers(std::shared_ptr<detail::TensorImpl> impl) noexcept : TensorBase(std::move(impl)) {}
  ///@}

 private:
  /// The tensor that this is part of.
  [[nodiscard]] const Tensor& self() const noexcept;
  [[nodiscard]] Tensor& self() noexcept;
};

}  // namespace d2l
