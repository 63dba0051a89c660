// SPDX-License-Identifier: MIT
// Recording: whether an operation is recorded, and the parts of a record.
#pragma once

#include <initializer_list>
#include <memory>
#include <utility>

#include "autograd/recorded_operation.h"

namespace d2l::detail {

/// GradMode of this thread.
inline constinit thread_local bool grad_mode = true;

/// True if a write to the base of the view gave the view's elements a history.
bool is_tracked_through_base(const TensorImpl& view) noexcept;
inline bool wants_gradient(const TensorImpl& impl) noexcept {
  return impl.requires_grad || (impl.base != nullptr && impl.base->requires_grad && is_tracked_through_base(impl));
}

/// True if an operation on these defined tensors must be recorded.
template <class... Tensors>
bool is_recorded(const Tensors&... inputs) noexcept {
  return grad_mode && (wants_gradient(*inputs.impl()) || ...);
}

/// The result of `compute`, whose operations are not recorded.
template <class Compute>
auto unrecorded(const Compute& compute) {
  const NoGradGuard guard;
  return compute();
}

/// The receiver of the gradient of a tensor.
Edge edge_of(const Tensor& tensor);
/// A handle to the same elements, without history.
Tensor alias_of(const TensorImpl& impl);

using Record = std::shared_ptr<RecordedOperation>;

/// The record of an operation on these tensors; a null pointer stands for a number.
Record record(Recorded kind, std::initializer_list<const Tensor*> inputs);
/// The elements of a tensor, with their version and without history.
SavedTensor saved_tensor(const Tensor& tensor);
/// Saves a tensor, with its version, for the derivative.
void save(RecordedOperation& operation, std::size_t index, const Tensor& tensor);
/// The same for the operation's own result.
void save_made(RecordedOperation& operation, std::size_t index, const Tensor& result);
/// Makes `operation` the history of `result`.
void attach(const Tensor& result, Record operation);

/// `view`, a view of elements of `of`: records the operation, and links both so that each sees writes to the other.
/// Returns the record, or null if there is none.
RecordedOperation* record_view(const Tensor& of, const Tensor& view, Recorded kind);
/// The same for an operation without a state; returns the view.
inline Tensor viewed(const Tensor& of, Tensor view, Recorded kind) {
  record_view(of, view, kind);
  return view;
}
/// The same for one with a state.
template <class State>
Tensor viewed(const Tensor& of, Tensor view, Recorded kind, State state) {
  if (RecordedOperation* const operation = record_view(of, view, kind)) operation->state = std::move(state);
  return view;
}

/// Before a write in place: ValueError for a leaf that requires gradients, and for a view of one.
void check_in_place(const Tensor& tensor, const char* operation);
/// Before a write in place to `tensor`: copies the saved tensors that the write would change.
void keep_overwritten(RecordedOperation& operation, const Tensor& tensor);
/// After every write in place.
inline void count_write(const Tensor& tensor) noexcept {
  if (!tensor.impl()->behind_autograd) tensor.impl()->storage->count_write();
}
/// After a recorded write in place, whose first input was the tensor itself.
void attach_in_place(const Tensor& tensor, Record operation);

}  // namespace d2l::detail
