// SPDX-License-Identifier: MIT
// Tensor: an n-dimensional array on one device; copies of a Tensor share its elements.
#pragma once

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
class Tensor {
 public:
  /// An undefined tensor; reading one is a ValueError.
  Tensor() = default;
  Tensor(const Tensor&) = default;
  Tensor(Tensor&&) noexcept = default;
  ~Tensor() = default;
  Tensor& operator=(const Tensor&) & = default;
  Tensor& operator=(Tensor&&) & noexcept = default;
  /// `x[0] = y` writes y's values, broadcast, into that part of x.
  Tensor& operator=(const Tensor& values) &&;
  Tensor& operator=(const Scalar& value) &&;

  // What it is. None of these touches a device.
  [[nodiscard]] bool defined() const noexcept { return impl_ != nullptr; }
  [[nodiscard]] Device device() const;
  [[nodiscard]] ScalarType dtype() const;
  [[nodiscard]] ScalarType scalar_type() const { return dtype(); }
  [[nodiscard]] TensorOptions options() const;
  [[nodiscard]] IntArrayRef sizes() const;
  [[nodiscard]] IntArrayRef strides() const;  ///< in elements
  [[nodiscard]] std::int64_t size(std::int64_t dim) const;
  [[nodiscard]] std::int64_t stride(std::int64_t dim) const;
  [[nodiscard]] std::int64_t dim() const;
  [[nodiscard]] std::int64_t numel() const;
  [[nodiscard]] std::int64_t element_size() const;    ///< bytes
  [[nodiscard]] std::int64_t nbytes() const;          ///< numel() × element_size()
  [[nodiscard]] std::int64_t storage_offset() const;  ///< in elements
  [[nodiscard]] bool is_cpu() const;
  [[nodiscard]] bool is_cuda() const;
  [[nodiscard]] bool is_contiguous() const;
  [[nodiscard]] bool is_pinned() const;
  [[nodiscard]] bool is_floating_point() const;
  /// True when both are handles to the same tensor.
  [[nodiscard]] bool is_same(const Tensor& other) const noexcept { return impl_ == other.impl_; }

  // Where it is. `to`, `cuda` and `cpu` return this tensor when nothing would change: no copy, no allocation.
  [[nodiscard]] Tensor to(const TensorOptions& options, bool non_blocking = false, bool copy = false) const;
  [[nodiscard]] Tensor to(Device device, ScalarType dtype, bool non_blocking = false, bool copy = false) const;
  [[nodiscard]] Tensor to(ScalarType dtype, bool non_blocking = false, bool copy = false) const;
  [[nodiscard]] Tensor to(const Tensor& other, bool non_blocking = false, bool copy = false) const;
  [[nodiscard]] Tensor cuda(int index = 0, bool non_blocking = false) const;
  [[nodiscard]] Tensor cpu() const;
  /// A new tensor on `device` with the same values, even when this one is there already.
  [[nodiscard]] Tensor copy_to(Device device, bool non_blocking = false) const;
  /// Writes the values of `source`, broadcast and converted, into this tensor, across devices too.
  Tensor& copy_(const Tensor& source, bool non_blocking = false);
  [[nodiscard]] Tensor clone() const;
  /// A copy in pinned host memory; the tensor itself when it is pinned already.
  [[nodiscard]] Tensor pin_memory() const;

  // What it holds.
  /// The single element; on a GPU an implicit copy and a synchronisation; ValueError when there are more or none.
  [[nodiscard]] Scalar item() const;
  template <class T>
  [[nodiscard]] T item() const {
    return item().to<T>();
  }
  /// All elements in row-major order, converted to T; an explicit copy.
  template <class T>
  [[nodiscard]] std::vector<T> to_vector() const;
  /// Address of the first element: of the host, after waiting for copies under way, or of the device. TypeError unless
  /// T is the dtype.
  template <class T>
  [[nodiscard]] T* data_ptr() const;
  [[nodiscard]] void* data_ptr() const;
  /// The single element as a truth value; an implicit copy from a GPU.
  [[nodiscard]] bool is_nonzero() const;
  explicit operator bool() const { return is_nonzero(); }

  // Views: the same elements under another shape; no copy.
  Tensor view(IntArrayRef sizes) const;
  Tensor transpose(std::int64_t dim0, std::int64_t dim1) const;
  Tensor t() const;
  Tensor permute(IntArrayRef dims) const;
  Tensor unsqueeze(std::int64_t dim) const;
  Tensor squeeze() const;
  Tensor squeeze(std::int64_t dim) const;
  Tensor expand(IntArrayRef sizes) const;
  Tensor select(std::int64_t dim, std::int64_t index) const;
  Tensor slice(std::int64_t dim = 0, std::optional<std::int64_t> start = std::nullopt,
               std::optional<std::int64_t> end = std::nullopt, std::int64_t step = 1) const;
  Tensor operator[](std::int64_t index) const { return select(0, index); }
  /// A view if the strides allow it, else a copy; one size may be -1.
  Tensor reshape(IntArrayRef sizes) const;
  /// The tensor itself if its elements are in row-major order, else a copy that is.
  [[nodiscard]] Tensor contiguous() const;

  // Elementwise, with broadcasting and type promotion.
  Tensor add(const Tensor& other, Scalar alpha = 1) const;
  Tensor add(Scalar other, Scalar alpha = 1) const;
  Tensor sub(const Tensor& other, Scalar alpha = 1) const;
  Tensor sub(Scalar other, Scalar alpha = 1) const;
  Tensor mul(const Tensor& other) const;
  Tensor mul(Scalar other) const;
  Tensor div(const Tensor& other) const;
  Tensor div(Scalar other) const;
  Tensor pow(const Tensor& exponent) const;
  Tensor pow(Scalar exponent) const;
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
  Tensor neg() const;
  Tensor abs() const;
  Tensor sqrt() const;
  Tensor exp() const;
  Tensor log() const;
  Tensor relu() const;
  Tensor sigmoid() const;
  Tensor tanh() const;
  Tensor log_softmax(std::int64_t dim) const;
  Tensor operator-() const { return neg(); }

  // In place: the result keeps this tensor's shape, dtype, device and memory.
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
  Tensor& fill_(Scalar value);
  Tensor& zero_();
  Tensor& operator+=(const Tensor& other) { return add_(other); }
  Tensor& operator+=(Scalar other) { return add_(other); }
  Tensor& operator-=(const Tensor& other) { return sub_(other); }
  Tensor& operator-=(Scalar other) { return sub_(other); }
  Tensor& operator*=(const Tensor& other) { return mul_(other); }
  Tensor& operator*=(Scalar other) { return mul_(other); }
  Tensor& operator/=(const Tensor& other) { return div_(other); }
  Tensor& operator/=(Scalar other) { return div_(other); }

  // Reductions, over all dimensions or some; the result stays on the device.
  Tensor sum() const;
  Tensor sum(IntArrayRef dims, bool keepdim = false) const;
  Tensor mean() const;
  Tensor mean(IntArrayRef dims, bool keepdim = false) const;
  Tensor max() const;
  std::tuple<Tensor, Tensor> max(std::int64_t dim, bool keepdim = false) const;  ///< values, indices
  Tensor min() const;
  std::tuple<Tensor, Tensor> min(std::int64_t dim, bool keepdim = false) const;  ///< values, indices
  Tensor argmax(std::optional<std::int64_t> dim = std::nullopt, bool keepdim = false) const;
  Tensor norm(Scalar p = 2) const;
  Tensor norm(std::optional<Scalar> p, IntArrayRef dims, bool keepdim = false) const;

  // Products: PyTorch's rules for one, two and more dimensions; `mm` takes two.
  Tensor matmul(const Tensor& other) const;
  Tensor mm(const Tensor& other) const;

  // Gradients; see autograd.h.
  [[nodiscard]] bool requires_grad() const;
  /// Whether operations on this tensor are recorded; ValueError unless it is a leaf, TypeError unless floating point.
  const Tensor& set_requires_grad(bool requires_grad) const;
  const Tensor& requires_grad_(bool requires_grad = true) const;
  /// True for a tensor that no recorded operation made.
  [[nodiscard]] bool is_leaf() const;
  /// What made this tensor; null for a leaf.
  [[nodiscard]] std::shared_ptr<autograd::Node> grad_fn() const;
  /// The gradient that backward() left here, on this tensor's device; undefined when there is none.
  [[nodiscard]] const Tensor& grad() const;
  Tensor& mutable_grad() const;
  /// Assigns grad(), or lets go of it when `grad` is undefined. DeviceError, TypeError or ShapeError unless it is where
  /// this tensor is, and of its dtype and shape; ValueError for the tensor itself.
  const Tensor& set_grad(const Tensor& grad) const;
  /// Adds to the grad() of every leaf that this tensor was made from; `gradient` has its shape, and is 1 when this has
  /// one element. ValueError when there is nothing to differentiate, or when it was done and the graph is gone.
  void backward(const Tensor& gradient = {}, std::optional<bool> retain_graph = std::nullopt) const;
  /// The same elements, of which nothing is recorded.
  [[nodiscard]] Tensor detach() const;
  const Tensor& detach_() const;
  /// The same elements, of which nothing is recorded, to read or to write behind autograd's back.
  [[nodiscard]] Tensor data() const;
  /// Lets this tensor have the elements of another, of any shape and device; who holds it sees the change.
  void set_data(const Tensor& new_data) const;
  /// How often the elements were written in place, through this tensor or another view of them.
  [[nodiscard]] std::int64_t _version() const;

  bool allclose(const Tensor& other, double rtol = 1e-5, double atol = 1e-8, bool equal_nan = false) const;
  /// Same shape and values; an implicit copy of one byte from a GPU.
  bool equal(const Tensor& other) const;

  /// For the library's own sources.
  explicit Tensor(std::shared_ptr<detail::TensorImpl> impl) noexcept : impl_(std::move(impl)) {}
  [[nodiscard]] const std::shared_ptr<detail::TensorImpl>& impl() const noexcept { return impl_; }

 private:
  std::shared_ptr<detail::TensorImpl> impl_;
};

/// The text that Python's PyTorch prints; from a GPU an implicit copy and a synchronisation.
std::string repr(const Tensor& tensor);
std::ostream& operator<<(std::ostream& out, const Tensor& tensor);

}  // namespace d2l
