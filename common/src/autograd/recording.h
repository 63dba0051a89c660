// SPDX-License-Identifier: MIT
// Recording: whether an operation is recorded, and how.
#pragma once

#include <array>
#include <initializer_list>
#include <memory>
#include <utility>

#include "autograd/recorded_operation.h"

namespace d2l::detail {

/// GradMode of this thread.
inline constinit thread_local bool grad_mode = true;

/// True when the elements that a view shows were made, by a write to its base, from what wants gradients.
bool is_tracked_through_base(const TensorImpl& view) noexcept;
inline bool wants_gradient(const TensorImpl& impl) noexcept {
  return impl.requires_grad || (impl.base != nullptr && impl.base->requires_grad && is_tracked_through_base(impl));
}

/// True when an operation on these tensors, which are defined, is to be recorded.
template <class... Tensors>
bool is_recorded(const Tensors&... inputs) noexcept {
  return grad_mode && (wants_gradient(*inputs.impl()) || ...);
}

/// Where the gradient of a tensor goes.
Edge edge_of(const Tensor& tensor);
/// The same elements without history; the cheapest handle that keeps them.
Tensor alias_of(const TensorImpl& impl);

using Record = std::shared_ptr<RecordedOperation>;

/// The record of an operation on these tensors; a null pointer stands for a number.
Record record(Recorded kind, std::initializer_list<const Tensor*> inputs);
/// Keeps a tensor, as it is now, for the derivative.
void save(RecordedOperation& operation, std::size_t index, const Tensor& tensor);
/// The same of the operation's own result.
void save_made(RecordedOperation& operation, std::size_t index, const Tensor& result);
/// Lets `result` be what the record made.
void attach(const Tensor& result, Record operation);

/// `view`, which shows elements of `of`: writes to one will be known to the other, and the operation is recorded.
Tensor viewed(const Tensor& of, Tensor view, Recorded kind, std::array<std::int64_t, 2> integers = {},
              const Dimensions* dims = nullptr);

/// Before a write in place: ValueError for a leaf that wants gradients, and for a view of one.
void check_in_place(const Tensor& tensor, const char* operation);
/// Before a write in place to `tensor`: lets its record have copies of the elements that will be gone.
void keep_overwritten(RecordedOperation& operation, const Tensor& tensor);
/// After every write in place.
inline void count_write(const Tensor& tensor) noexcept {
  if (!tensor.impl()->behind_autograd) tensor.impl()->storage->count_write();
}
/// After a recorded write in place, whose first input was the tensor itself.
void attach_in_place(const Tensor& tensor, Record operation);

}  // namespace d2l::detail
