// SPDX-License-Identifier: MIT
/// @file
/// TensorBase: what a tensor is, which can be asked without an operation on its elements.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "d2l/device.h"
#include "d2l/dtype.h"
#include "d2l/missing/members.h"
#include "d2l/shape.h"
#include "d2l/tensor_options.h"

namespace d2l {

namespace detail {
struct TensorImpl;
}
namespace autograd {
class Node;
}

/// The properties of a Tensor, as in LibTorch; reading one of an undefined tensor is a ValueError.
class TensorBase : public MissingMembers {
 public:
  // Properties. None of these uses a device.
  /// False for an undefined tensor, such as Tensor().
  [[nodiscard]] bool defined() const noexcept { return impl_ != nullptr; }
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
  [[nodiscard]] bool is_cuda() const;                         ///< whether it is on a GPU of type CUDA
  [[nodiscard]] bool is_privateuseone() const;                ///< whether it is on a GPU of type PrivateUse1
  [[nodiscard]] bool is_contiguous() const;                   ///< whether the elements are in row-major order
  [[nodiscard]] bool is_pinned() const;                       ///< whether it is in pinned host memory
  [[nodiscard]] bool is_floating_point() const;  ///< whether dtype() is kHalf, kBFloat16, kFloat or kDouble
  /// True when both are handles to the same tensor.
  [[nodiscard]] bool is_same(const TensorBase& other) const noexcept { return impl_ == other.impl_; }
  /// Whether operations on this tensor are recorded.
  [[nodiscard]] bool requires_grad() const;
  /// Whether no recorded operation made this tensor.
  [[nodiscard]] bool is_leaf() const;
  /// The operation that made this tensor; null for a leaf.
  [[nodiscard]] std::shared_ptr<autograd::Node> grad_fn() const;
  /// The count of writes in place to the elements, through this tensor or another view of them.
  [[nodiscard]] std::int64_t _version() const;
  /// For the sources of the library.
  [[nodiscard]] const std::shared_ptr<detail::TensorImpl>& impl() const noexcept { return impl_; }

 protected:
  TensorBase() = default;
  ///@{
  /// For Tensor.
  explicit TensorBase(std::shared_ptr<detail::TensorImpl> impl) noexcept : impl_(std::move(impl)) {}
  std::shared_ptr<detail::TensorImpl> impl_;
  ///@}
};

}  // namespace d2l
