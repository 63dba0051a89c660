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
#include "d2l/tensor_options.h"

namespace d2l {

namespace detail {
struct TensorImpl;
}
namespace autograd {
class Node;
}

/// A handle to a strided array of elements; names and meanings are those of LibTorch's C++ API.
///
/// Errors of every operation: ValueError for an undefined tensor or a parameter without a shape, DeviceError for
/// operands on two devices, OutOfMemoryError for too little memory, FatalDeviceError for a lost device.
class Tensor {
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

  // Properties. None of these uses a device.
  [[nodiscard]] bool defined() const noexcept {
    return impl_ != nullptr;
  }                                                                 ///< false for a tensor without elements or shape
  [[nodiscard]] Device device() const;                              ///< where the elements are
  [[nodiscard]] ScalarType dtype() const;                           ///< the type of an element
  [[nodiscard]] ScalarType scalar_type() const { return dtype(); }  ///< dtype(), by LibTorch's other name
  [[nodiscard]] TensorOptions options() const;                      ///< dtype and device, for factories
  [[nodiscard]] IntArrayRef sizes() const;                  ///< the size of each dimension; lives as long as the tensor
  [[nodiscard]] IntArrayRef strides() const;                ///< elements from one index to the next, of each dimension
  [[nodiscard]] std::int64_t size(std::int64_t dim) const;  ///< of one dimension; IndexError, -1 is the last
  [[nodiscard]] std::int64_t stride(std::int64_t dim) const;  ///< of one dimension, in elements; as size()
  [[nodiscard]] std::int64_t dim() const;                     ///< how many dimensions there are, 0 to 8
  [[nodiscard]] std::int64_t numel() const;                   ///< how many elements: the product of the sizes
  [[nodiscard]] std::int64_t element_size() const;            ///< bytes
  [[nodiscard]] std::int64_t nbytes() const;                  ///< numel() × element_size()
  [[nodiscard]] std::int64_t storage_offset() const;          ///< of the first element, in elements
  [[nodiscard]] bool is_cpu() const;                          ///< whether it is on the CPU
  [[nodiscard]] bool is_cuda() const;                         ///< whether it is on a GPU
  [[nodiscard]] bool is_contiguous() const;                   ///< whether the elements are in row-major order
  [[nodiscard]] bool is_pinned() const;                       ///< whether it is in pinned host memory
  [[nodiscard]] bool is_floating_point() const;               ///< whether dtype() is kFloat or kDouble
  /// True when both are handles to the same tensor.
  [[nodiscard]] bool is_same(const Tensor& other) const noexcept { return impl_ == other.impl_; }

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
  /// The smallest element, or nan if one is nan; ShapeError for no elements.
  Tensor min() const;
  /// The smallest along `dim`, and their indices (int64), the first of equal ones; IndexError for no elements.
  std::tuple<Tensor, Tensor> min(std::int64_t dim, bool keepdim = false) const;
  /// The index (int64) of the largest element along `dim`, or of all elements in row-major order; IndexError for no
  /// elements, TypeError for bool.
  Tensor argmax(std::optional<std::int64_t> dim = std::nullopt, bool keepdim = false) const;
  ///@{
  /// (Σ |x|ᵖ)^(1/p) over all elements, or over `dims`; p may be 0 (the count of nonzero elements) or infinite.
  /// TypeError unless floating point.
  Tensor norm(Scalar p = 2) const;
  Tensor norm(std::optional<Scalar> p, IntArrayRef dims, bool keepdim = false) const;
  ///@}

  // Products.
  /// (…, n, k) × (…, k, m) → (…, n, m), with leading sizes broadcast; a vector is a row on the left and a column on the
  /// right. ShapeError if the sizes do not fit, TypeError for two dtypes or bool.
  Tensor matmul(const Tensor& other) const;
  /// (n, k) × (k, m) → (n, m); errors as matmul(), and ShapeError unless both have two dimensions.
  Tensor mm(const Tensor& other) const;

  // Further shapes, reductions and products; order along a dimension; elements at other places.
#include "d2l/tensor_members.h"  // IWYU pragma: export

  // Gradients; see autograd.h.
  /// Whether operations on this tensor are recorded.
  [[nodiscard]] bool requires_grad() const;
  ///@{
  /// Sets whether operations on this tensor are recorded; ValueError unless it is a leaf, TypeError unless floating
  /// point.
  const Tensor& set_requires_grad(bool requires_grad) const;
  const Tensor& requires_grad_(bool requires_grad = true) const;
  ///@}
  /// Whether no recorded operation made this tensor.
  [[nodiscard]] bool is_leaf() const;
  /// The operation that made this tensor; null for a leaf.
  [[nodiscard]] std::shared_ptr<autograd::Node> grad_fn() const;
  /// The gradient that backward() stored, on this tensor's device; undefined if there is none.
  [[nodiscard]] const Tensor& grad() const;
  /// The same, to change it or assign to it.
  Tensor& mutable_grad() const;
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
  /// The count of writes in place to the elements, through this tensor or another view of them.
  [[nodiscard]] std::int64_t _version() const;

  /// Whether |this − other| ≤ atol + rtol × |other| for every element, as in PyTorch; from a GPU an implicit copy of
  /// one byte. ShapeError unless the shapes broadcast, TypeError for two dtypes, ValueError for a negative tolerance.
  bool allclose(const Tensor& other, double rtol = 1e-5, double atol = 1e-8, bool equal_nan = false) const;
  /// Whether shapes and values are equal; from a GPU an implicit copy of one byte.
  bool equal(const Tensor& other) const;

  ///@{
  /// For the sources of the library.
  explicit Tensor(std::shared_ptr<detail::TensorImpl> impl) noexcept : impl_(std::move(impl)) {}
  [[nodiscard]] const std::shared_ptr<detail::TensorImpl>& impl() const noexcept { return impl_; }
  ///@}

 private:
  std::shared_ptr<detail::TensorImpl> impl_;
};

///@{
/// The text that PyTorch prints in Python; from a GPU an implicit copy and a synchronisation.
std::string repr(const Tensor& tensor);
std::ostream& operator<<(std::ostream& out, const Tensor& tensor);
///@}

}  // namespace d2l
