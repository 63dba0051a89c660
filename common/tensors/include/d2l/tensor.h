// SPDX-License-Identifier: MIT
/// @file
/// Tensor: an n-dimensional array on one device; copies of a Tensor share its elements.
#pragma once

#include <concepts>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "d2l/device.h"
#include "d2l/dtype.h"
#include "d2l/scalar.h"
#include "d2l/shape.h"
#include "d2l/tensor_members.h"
#include "d2l/tensor_options.h"

namespace d2l {

/// A handle to a strided array of elements; names and meanings are those of LibTorch's C++ API.
///
/// Errors of every operation: ValueError for an undefined tensor or a parameter without a shape, DeviceError for
/// operands on two devices, OutOfMemoryError for too little memory, FatalDeviceError for a lost device.
class Tensor : public TensorMembers {
 public:
  /// An undefined tensor; reading one is a ValueError.
  Tensor() = default;
  ///@{
  /// A handle to the same tensor; no element is copied.
  Tensor(const Tensor&) = default;
  Tensor(Tensor&&) noexcept = default;
  ///@}
  ~Tensor() = default;
  ///@{
  /// Makes this a handle to the same tensor; no element is copied.
  Tensor& operator=(const Tensor&) & = default;
  Tensor& operator=(Tensor&&) & noexcept = default;
  ///@}
  ///@{
  /// `x[0] = y` writes y's values, broadcast, into that part of x; see copy_() and fill_().
  Tensor& operator=(const Tensor& values) &&;
  Tensor& operator=(const Scalar& value) &&;
  ///@}

  // Devices and dtypes.
  ///@{
  /// The values on another device, or of another dtype: this tensor itself if nothing changes (no copy, no allocation),
  /// unless `copy`. Across devices this is an explicit copy. From a GPU with `non_blocking` the host does not wait
  /// until the values are read. DeviceError for a device that does not exist.
  [[nodiscard]] Tensor to(const TensorOptions& options, bool non_blocking = false, bool copy = false) const;
  [[nodiscard]] Tensor to(Device device, ScalarType dtype, bool non_blocking = false, bool copy = false) const;
  [[nodiscard]] Tensor to(ScalarType dtype, bool non_blocking = false, bool copy = false) const;
  [[nodiscard]] Tensor to(const Tensor& other, bool non_blocking = false, bool copy = false) const;
  [[nodiscard]] Tensor cuda(int index = 0, bool non_blocking = false) const;
  [[nodiscard]] Tensor cpu() const;
  [[nodiscard]] Tensor half() const { return to(kHalf); }
  [[nodiscard]] Tensor bfloat16() const { return to(kBFloat16); }
  ///@}
  /// A new tensor on `device` with the same values, even if this tensor is on that device.
  [[nodiscard]] Tensor copy_to(Device device, bool non_blocking = false) const;
  /// Writes the values of `source`, broadcast and converted, into this tensor, also across devices; ShapeError unless
  /// they broadcast to this shape.
  Tensor& copy_(const Tensor& source, bool non_blocking = false);
  /// A new tensor of the same values, on the same device.
  [[nodiscard]] Tensor clone() const;
  /// A copy in pinned host memory, or the tensor itself if it is pinned; DeviceError for a tensor on a GPU.
  [[nodiscard]] Tensor pin_memory() const;

  // Values.
  /// The single element; from a GPU an implicit copy and a synchronisation; ValueError for any other number of
  /// elements.
  [[nodiscard]] Scalar item() const;
  /// item(), converted to T.
  template <class T>
  [[nodiscard]] T item() const {
    return item().to<T>();
  }
  /// All elements in row-major order, converted to T; an explicit copy.
  template <class T>
  [[nodiscard]] std::vector<T> to_vector() const;
  /// The address of the first element, in host memory (after waiting for copies in progress) or in device memory.
  /// TypeError unless T is the dtype.
  template <class T>
  [[nodiscard]] T* data_ptr() const;
  /// The same for any dtype; null for a tensor without elements.
  [[nodiscard]] void* data_ptr() const;
  ///@{
  /// Whether the single element is not 0; from a GPU an implicit copy; ValueError for any other number of elements.
  [[nodiscard]] bool is_nonzero() const;
  explicit operator bool() const { return is_nonzero(); }
  ///@}

  // Views: the same elements with another shape, without a copy. A negative dimension counts from the end; IndexError
  // for a dimension that does not exist.
  /// Other sizes, one of which may be -1; ShapeError unless the elements fill them and strides can describe them.
  Tensor view(IntArrayRef sizes) const;
  /// (…, a, …, b, …) → (…, b, …, a, …): two dimensions exchanged; IndexError for a dimension that does not exist.
  Tensor transpose(std::int64_t dim0, std::int64_t dim1) const;
  /// (a, b) → (b, a); fewer dimensions stay as they are; ShapeError for more.
  Tensor t() const;
  /// The dimensions in the order `dims`; ShapeError unless it names each once.
  Tensor permute(IntArrayRef dims) const;
  /// Adds a dimension of size 1 before `dim`; ShapeError if there are 8.
  Tensor unsqueeze(std::int64_t dim) const;
  ///@{
  /// Removes all dimensions of size 1, or `dim` if its size is 1; IndexError for a dimension that does not exist.
  Tensor squeeze() const;
  Tensor squeeze(std::int64_t dim) const;
  ///@}
  /// Broadcast to `sizes`, where -1 keeps a size; ShapeError unless this shape broadcasts to them.
  Tensor expand(IntArrayRef sizes) const;
  /// The elements at `index` in `dim`, without that dimension; a negative index counts from the end; IndexError for an
  /// index out of range.
  Tensor select(std::int64_t dim, std::int64_t index) const;
  /// The elements at the indices from `start` to before `end` by `step`, with bounds clamped as in Python; IndexError
  /// for a tensor without dimensions, ValueError unless `step` is positive.
  Tensor slice(std::int64_t dim = 0, std::optional<std::int64_t> start = std::nullopt,
               std::optional<std::int64_t> end = std::nullopt, std::int64_t step = 1) const;
  using TensorMembers::operator[];
  /// select(0, index).
  Tensor operator[](std::int64_t index) const { return select(0, index); }
  /// A view if strides can describe it, else a copy; one size may be -1; ShapeError unless the elements fill the sizes.
  Tensor reshape(IntArrayRef sizes) const;
  /// The tensor itself if its elements are in row-major order, else a copy in that order.
  [[nodiscard]] Tensor contiguous() const;

  // Elementwise operations, with the broadcasting and type promotion of PyTorch.
  ///@{
  /// this + alpha × other, element by element: shapes broadcast, dtypes promote. ShapeError unless the shapes
  /// broadcast, TypeError for an alpha that does not suit the dtype.
  Tensor add(const Tensor& other, Scalar alpha = 1) const;
  Tensor add(Scalar other, Scalar alpha = 1) const;
  ///@}
  ///@{
  /// this − alpha × other; as add(), and TypeError for a bool tensor.
  Tensor sub(const Tensor& other, Scalar alpha = 1) const;
  Tensor sub(Scalar other, Scalar alpha = 1) const;
  ///@}
  ///@{
  /// this × other; shapes and dtypes as add().
  Tensor mul(const Tensor& other) const;
  Tensor mul(Scalar other) const;
  ///@}
  ///@{
  /// this / other, floating point even for integers; shapes as add().
  Tensor div(const Tensor& other) const;
  Tensor div(Scalar other) const;
  ///@}
  ///@{
  /// this to the power of `exponent`; shapes and dtypes as add(). ValueError for integers to the power of a negative
  /// integer Scalar, TypeError for bool to bool.
  Tensor pow(const Tensor& exponent) const;
  Tensor pow(Scalar exponent) const;
  ///@}
  ///@{
  /// The comparison ==, !=, <, <=, > or >= of each element with that of `other`: a bool tensor; shapes as add().
  Tensor eq(const Tensor& other) const;
  Tensor eq(Scalar other) const;
  Tensor ne(const Tensor& other) const;
  Tensor ne(Scalar other) const;
  Tensor lt(const Tensor& other) const;
  Tensor lt(Scalar other) const;
  Tensor le(const Tensor& other) const;
  Tensor le(Scalar other) const;
  Tensor gt(const Tensor& other) const;
  Tensor gt(Scalar other) const;
  Tensor ge(const Tensor& other) const;
  Tensor ge(Scalar other) const;
  ///@}
  Tensor neg() const;      ///< −x; TypeError for bool
  Tensor abs() const;      ///< |x|; TypeError for bool
  Tensor sqrt() const;     ///< √x, nan below 0; floating point
  Tensor exp() const;      ///< eˣ; floating point
  Tensor log() const;      ///< the natural logarithm, nan below 0; floating point
  Tensor relu() const;     ///< max(x, 0); TypeError for bool
  Tensor sigmoid() const;  ///< 1 / (1 + e⁻ˣ); floating point
  Tensor tanh() const;     ///< the hyperbolic tangent; floating point
  Tensor sin() const;      ///< the sine; floating point
  Tensor cos() const;      ///< the cosine; floating point
  Tensor square() const;   ///< x²; int64 for bool
  Tensor floor() const;    ///< the largest integer that is not larger, of the same dtype; TypeError for bool
  Tensor ceil() const;     ///< the smallest integer that is not smaller, of the same dtype; TypeError for bool
  Tensor round() const;    ///< the nearest integer, the even one of two, of the same dtype; TypeError for bool
  /// The nearest number with this many decimals; a negative number counts digits before the point. TypeError unless
  /// floating point.
  Tensor round(std::int64_t decimals) const;
  Tensor sign() const;         ///< 1, 0 or −1 by the sign; 0 for nan
  Tensor reciprocal() const;   ///< 1 / x; floating point
  Tensor rsqrt() const;        ///< 1 / √x, nan below 0; floating point
  Tensor erf() const;          ///< the error function; floating point
  Tensor log1p() const;        ///< the natural logarithm of 1 + x, nan below −1; floating point
  Tensor expm1() const;        ///< eˣ − 1; floating point
  Tensor isnan() const;        ///< whether each element is nan: a bool tensor
  Tensor isinf() const;        ///< whether each element is an infinity: a bool tensor
  Tensor isfinite() const;     ///< whether each element is neither nan nor an infinity: a bool tensor
  Tensor logical_not() const;  ///< whether each element is 0: a bool tensor
  ///@{
  /// Each element within the bounds, one of which may be absent; `max` where min > max. Numbers and tensors promote the
  /// dtype. ValueError without a bound, ShapeError unless the shapes broadcast, TypeError for bool.
  Tensor clamp(std::optional<Scalar> min, std::optional<Scalar> max = std::nullopt) const;
  Tensor clamp(const std::optional<Tensor>& min = {}, const std::optional<Tensor>& max = {}) const;
  Tensor clamp_min(Scalar min) const;
  Tensor clamp_min(const Tensor& min) const;
  Tensor clamp_max(Scalar max) const;
  Tensor clamp_max(const Tensor& max) const;
  ///@}
  ///@{
  /// The rest of a division, with the sign of `other`, and the quotient rounded down, which has no gradient; shapes and
  /// dtypes as add(). TypeError for bool by bool; ValueError for integers and a 0 that the host can read, else 0.
  Tensor remainder(const Tensor& other) const;
  Tensor remainder(Scalar other) const;
  Tensor floor_divide(const Tensor& other) const;
  Tensor floor_divide(Scalar other) const;
  ///@}
  Tensor maximum(const Tensor& other) const;  ///< the larger of each two elements, nan if one is; shapes as add()
  Tensor minimum(const Tensor& other) const;  ///< the smaller of each two elements, nan if one is; shapes as add()
  ///@{
  /// Whether both elements, one of them, or exactly one is not 0: a bool tensor; shapes as add().
  Tensor logical_and(const Tensor& other) const;
  Tensor logical_or(const Tensor& other) const;
  Tensor logical_xor(const Tensor& other) const;
  ///@}
  ///@{
  /// This where `condition`, which is bool, is true, else `other`; see d2l::where().
  Tensor where(const Tensor& condition, const Tensor& other) const;
  Tensor where(const Tensor& condition, Scalar other) const;
  ///@}
  ///@{
  /// `value`, a number or a tensor without dimensions, where `mask` is true, else this; the dtype stays. ShapeError
  /// unless the shapes broadcast, TypeError for a mask that is not bool, ValueError if the dtype cannot hold `value`.
  Tensor masked_fill(const Tensor& mask, Scalar value) const;
  Tensor masked_fill(const Tensor& mask, const Tensor& value) const;
  ///@}
  /// eˣ / Σ eˣ along `dim`, of the same shape; TypeError unless floating point, IndexError for no such dimension.
  Tensor softmax(std::int64_t dim) const;
  /// x − log Σ eˣ along `dim`, of the same shape; TypeError unless floating point, IndexError for no such dimension.
  Tensor log_softmax(std::int64_t dim) const;
  Tensor operator-() const { return neg(); }  ///< neg()

  // In place: shape, dtype, device and memory of this tensor stay.
  ///@{
  /// The operation of the same name without the underscore, written to this tensor. ShapeError unless `other`
  /// broadcasts to this shape, TypeError if this dtype cannot hold the result, ValueError for a leaf that requires
  /// gradients and for memory that overlaps itself or `other`.
  Tensor& add_(const Tensor& other, Scalar alpha = 1);
  Tensor& add_(Scalar other, Scalar alpha = 1);
  Tensor& sub_(const Tensor& other, Scalar alpha = 1);
  Tensor& sub_(Scalar other, Scalar alpha = 1);
  Tensor& mul_(const Tensor& other);
  Tensor& mul_(Scalar other);
  Tensor& div_(const Tensor& other);
  Tensor& div_(Scalar other);
  Tensor& pow_(const Tensor& exponent);
  Tensor& pow_(Scalar exponent);
  Tensor& neg_();
  Tensor& abs_();
  Tensor& sqrt_();
  Tensor& exp_();
  Tensor& log_();
  Tensor& relu_();
  Tensor& sigmoid_();
  Tensor& tanh_();
  Tensor& sin_();
  Tensor& cos_();
  Tensor& square_();
  Tensor& floor_();
  Tensor& ceil_();
  Tensor& round_();
  Tensor& round_(std::int64_t decimals);
  Tensor& sign_();
  Tensor& reciprocal_();
  Tensor& rsqrt_();
  Tensor& erf_();
  Tensor& log1p_();
  Tensor& expm1_();
  Tensor& logical_not_();
  Tensor& clamp_(std::optional<Scalar> min, std::optional<Scalar> max = std::nullopt);
  Tensor& clamp_(const std::optional<Tensor>& min = {}, const std::optional<Tensor>& max = {});
  Tensor& clamp_min_(Scalar min);
  Tensor& clamp_min_(const Tensor& min);
  Tensor& clamp_max_(Scalar max);
  Tensor& clamp_max_(const Tensor& max);
  Tensor& remainder_(const Tensor& other);
  Tensor& remainder_(Scalar other);
  Tensor& floor_divide_(const Tensor& other);
  Tensor& floor_divide_(Scalar other);
  Tensor& logical_and_(const Tensor& other);
  Tensor& logical_or_(const Tensor& other);
  Tensor& logical_xor_(const Tensor& other);
  Tensor& masked_fill_(const Tensor& mask, Scalar value);
  Tensor& masked_fill_(const Tensor& mask, const Tensor& value);
  Tensor& operator+=(const Tensor& other) { return add_(other); }
  Tensor& operator+=(Scalar other) { return add_(other); }
  Tensor& operator-=(const Tensor& other) { return sub_(other); }
  Tensor& operator-=(Scalar other) { return sub_(other); }
  Tensor& operator*=(const Tensor& other) { return mul_(other); }
  Tensor& operator*=(Scalar other) { return mul_(other); }
  Tensor& operator/=(const Tensor& other) { return div_(other); }
  Tensor& operator/=(Scalar other) { return div_(other); }
  ///@}
  Tensor& fill_(Scalar value);  ///< sets every element; ValueError if the dtype cannot hold `value`
  Tensor& zero_();              ///< fill_(0)

  // Reductions over all dimensions or some; the result is on the same device. `keepdim` keeps a dimension, with size 1.
  // IndexError for a dimension that does not exist, ShapeError for one that is named twice.
  ///@{
  /// The sum over all elements, or over `dims`; int64 for integers and bools, else this dtype.
  Tensor sum() const;
  Tensor sum(IntArrayRef dims, bool keepdim = false) const;
  ///@}
  ///@{
  /// The mean over all elements, or over `dims`; nan for no elements; TypeError unless floating point.
  Tensor mean() const;
  Tensor mean(IntArrayRef dims, bool keepdim = false) const;
  ///@}
  /// The largest element, or nan if one is nan; ShapeError for no elements.
  Tensor max() const;
  /// The largest along `dim`, and their indices (int64), the first of equal ones; IndexError for no elements.
  std::tuple<Tensor, Tensor> max(std::int64_t dim, bool keepdim = false) const;
  /// The larger of each two elements: maximum().
  Tensor max(const Tensor& other) const { return maximum(other); }
  /// The smallest element, or nan if one is nan; ShapeError for no elements.
  Tensor min() const;
  /// The smallest along `dim`, and their indices (int64), the first of equal ones; IndexError for no elements.
  std::tuple<Tensor, Tensor> min(std::int64_t dim, bool keepdim = false) const;
  /// The smaller of each two elements: minimum().
  Tensor min(const Tensor& other) const { return minimum(other); }
  /// The index (int64) of the largest element along `dim`, or of all elements in row-major order; IndexError for no
  /// elements, TypeError for bool.
  Tensor argmax(std::optional<std::int64_t> dim = std::nullopt, bool keepdim = false) const;
  ///@{
  /// (Σ |x|ᵖ)^(1/p) over all elements, or over `dims`; p may be 0 (the count of nonzero elements) or infinite.
  /// TypeError unless floating point, ShapeError for an infinite or negative p over no elements.
  Tensor norm(Scalar p = 2) const;
  Tensor norm(std::optional<Scalar> p, IntArrayRef dims, bool keepdim = false) const;
  ///@}

  // Products.
  /// (…, n, k) × (…, k, m) → (…, n, m), with leading sizes broadcast; a vector is a row on the left and a column on the
  /// right. ShapeError if the sizes do not fit, TypeError for two dtypes or bool.
  Tensor matmul(const Tensor& other) const;
  /// (n, k) × (k, m) → (n, m); errors as matmul(), and ShapeError unless both have two dimensions.
  Tensor mm(const Tensor& other) const;

  // Gradients; see autograd.h.
  ///@{
  /// Sets whether operations on this tensor are recorded; ValueError unless it is a leaf, TypeError unless floating
  /// point.
  const Tensor& set_requires_grad(bool requires_grad) const;
  const Tensor& requires_grad_(bool requires_grad = true) const;
  ///@}
  ///@{
  /// The gradient that backward() stored, on this tensor's device, to read, to change or to assign to; undefined if
  /// there is none.
  [[nodiscard]] Tensor& grad() const;
  Tensor& mutable_grad() const;
  ///@}
  /// Assigns grad(), or releases it if `grad` is undefined. DeviceError, TypeError or ShapeError unless `grad` has this
  /// tensor's device, dtype and shape; ValueError for the tensor itself.
  const Tensor& set_grad(const Tensor& grad) const;
  /// Adds to the grad() of every leaf that this tensor was made from. `gradient` has this shape; for one element it
  /// defaults to 1. ValueError if nothing was recorded, or if the graph was released by an earlier call. DeviceError,
  /// ShapeError or TypeError unless `gradient` is on this device, of this shape, and floating point.
  void backward(const Tensor& gradient = {}, std::optional<bool> retain_graph = std::nullopt) const;
  /// The same elements, without a record.
  [[nodiscard]] Tensor detach() const;
  /// Removes the record of this tensor itself; ValueError for a view.
  const Tensor& detach_() const;
  /// The same elements, without a record; autograd does not notice writes to them.
  [[nodiscard]] Tensor data() const;
  /// Replaces the elements by those of another tensor, of any shape and device, for all handles to this tensor.
  /// TypeError for integers if this tensor requires gradients.
  void set_data(const Tensor& new_data) const;
  /// Whether |this − other| ≤ atol + rtol × |other| for every element, as in PyTorch; from a GPU an implicit copy of
  /// one byte. ShapeError unless the shapes broadcast, TypeError for two dtypes, ValueError for a negative tolerance.
  bool allclose(const Tensor& other, double rtol = 1e-5, double atol = 1e-8, bool equal_nan = false) const;
  /// Whether shapes and values are equal; from a GPU an implicit copy of one byte.
  bool equal(const Tensor& other) const;

  /// For the sources of the library.
  explicit Tensor(std::shared_ptr<detail::TensorImpl> impl) noexcept : TensorMembers(std::move(impl)) {}
};

inline const Tensor& TensorMembers::self() const noexcept { return static_cast<const Tensor&>(*this); }
inline Tensor& TensorMembers::self() noexcept { return static_cast<Tensor&>(*this); }
Tensor TensorMembers::var(std::same_as<bool> auto unbiased) const { return var(IntArrayRef(), Scalar(unbiased)); }
Tensor TensorMembers::std(std::same_as<bool> auto unbiased) const { return std(IntArrayRef(), Scalar(unbiased)); }

///@{
/// The text that PyTorch prints in Python; from a GPU an implicit copy and a synchronisation.
std::string repr(const Tensor& tensor);
std::ostream& operator<<(std::ostream& out, const Tensor& tensor);
///@}

}  // namespace d2l
