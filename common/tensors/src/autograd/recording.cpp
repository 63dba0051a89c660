// SPDX-License-Identifier: MIT
// Recording: edges, saved tensors, views, and writes in place.
#include "autograd/recording.h"

#include "core/messages.h"

namespace d2l {

bool GradMode::is_enabled() noexcept { return detail::grad_mode; }
void GradMode::set_enabled(bool enabled) noexcept { detail::grad_mode = enabled; }

namespace detail {

namespace {

/// True if the elements were written after the view's history was stored, or after the view was made.
bool is_outdated(const TensorImpl& view) noexcept {
  return (view.grad_fn != nullptr || view.base->requires_grad) && view.seen_version != view.storage->version();
}

Edge edge_to(const std::shared_ptr<TensorImpl>& tensor) {
  if (!tensor->requires_grad) return {};
  return tensor->grad_fn != nullptr ? Edge(tensor->grad_fn, *tensor) : Edge(tensor);
}

/// Replaces the history of a view by the present history of its base.
void renew_history(TensorImpl& view) {
  auto renewed = std::make_shared<RecordedOperation>(Recorded::AsStridedBackward0);
  renewed->inputs.push_back(edge_to(view.base));
  renewed->geometry = std::make_unique<ViewGeometry>(view);
  renewed->describe(view);
  release(std::exchange(view.grad_fn, std::move(renewed)));
  view.requires_grad = true;
  view.seen_version = view.storage->version();
}

}  // namespace

bool is_tracked_through_base(const TensorImpl& view) noexcept { return is_outdated(view); }

Edge edge_of(const Tensor& tensor) {
  TensorImpl& impl = *tensor.impl();
  if (impl.base != nullptr && is_outdated(impl)) renew_history(impl);
  return edge_to(tensor.impl());
}

Tensor alias_of(const TensorImpl& impl) {
  return Tensor(std::make_shared<TensorImpl>(static_cast<const StridedView&>(impl)));
}

Record record(Recorded kind, std::initializer_list<const Tensor*> inputs) {
  std::vector<Edge> edges;
  edges.reserve(inputs.size());
  for (const Tensor* input : inputs) edges.push_back(input == nullptr ? Edge{} : edge_of(*input));
  // After the edges: edge_of() may record a view, which must have a lower sequence number.
  auto operation = std::make_shared<RecordedOperation>(kind);
  operation->inputs = std::move(edges);
  return operation;
}

SavedTensor saved_tensor(const Tensor& tensor) {
  const TensorImpl& impl = *tensor.impl();
  return {alias_of(impl), impl.storage->version(), impl.grad_fn == nullptr ? nullptr : name_of(*impl.grad_fn)};
}

void save(RecordedOperation& operation, std::size_t index, const Tensor& tensor) {
  operation.saved_tensors[index] = saved_tensor(tensor);
  operation.has_saved = true;
}

void save_made(RecordedOperation& operation, std::size_t index, const Tensor& result) {
  save(operation, index, result);
  operation.saved_tensors[index].made_by = name_of(operation);
  operation.saved_tensors[index].is_result = true;
}

void attach(const Tensor& result, Record operation) {
  TensorImpl& impl = *result.impl();
  operation->describe(impl);
  impl.grad_fn = std::move(operation);
  impl.requires_grad = true;
}

RecordedOperation* record_view(const Tensor& of, const Tensor& view, Recorded kind) {
  const TensorImpl& impl = *of.impl();
  if (!grad_mode || !isFloatingType(impl.dtype)) return nullptr;
  TensorImpl& shown = *view.impl();
  shown.base = impl.base != nullptr ? impl.base : of.impl();
  shown.seen_version = shown.storage->version();
  if (!wants_gradient(impl)) return nullptr;
  shown.of_leaf_view = impl.of_leaf_view || (impl.base != nullptr && impl.requires_grad && impl.grad_fn == nullptr);
  auto operation = record(kind, {&of});
  RecordedOperation* const recorded = operation.get();
  attach(view, std::move(operation));
  return recorded;
}

void check_in_place(const Tensor& tensor, const char* operation) {
  if (!grad_mode) return;
  const TensorImpl& impl = *tensor.impl();
  constexpr const char* fix = "write it under a NoGradGuard, or make a new tensor of it";
  if (impl.requires_grad && impl.grad_fn == nullptr) {
    fail<ValueError>(operation, "a leaf Variable that requires grad is being used in an in-place operation.",
                     operands({{"it", &impl}}), fix);
  }
  const bool of_leaf = impl.base != nullptr && impl.base->requires_grad && impl.base->grad_fn == nullptr;
  if (of_leaf || impl.of_leaf_view) {
    fail<ValueError>(operation, "a view of a leaf Variable that requires grad is being used in an in-place operation.",
                     operands({{"it", &impl}}), fix);
  }
}

void keep_overwritten(RecordedOperation& operation, const Tensor& tensor) {
  const NoGradGuard unrecorded;
  for (SavedTensor& saved : operation.saved_tensors) {
    if (!saved.tensor.defined() || saved.tensor.impl()->storage != tensor.impl()->storage) continue;
    saved.tensor = saved.tensor.clone();
    saved.version = saved.tensor.impl()->storage->version();
  }
}

void attach_in_place(const Tensor& tensor, Record operation) {
  TensorImpl& impl = *tensor.impl();
  if (impl.base == nullptr) {
    impl.storage->note_recorded_writer(name_of(*operation));
    operation->describe(impl);
    release(std::exchange(impl.grad_fn, std::move(operation)));
    impl.requires_grad = true;
    return;
  }
  // A write through a view: the record becomes part of the base's history, from which the view gets its own.
  TensorImpl& base = *impl.base;
  impl.storage->note_recorded_writer("CopySlices");
  auto slices = std::make_shared<RecordedOperation>(Recorded::CopySlices);
  operation->describe(impl);
  slices->inputs.push_back(edge_to(impl.base));
  for (std::size_t i = 1; i < operation->inputs.size(); ++i) slices->inputs.push_back(operation->inputs[i]);
  slices->geometry = std::make_unique<ViewGeometry>(impl);
  slices->has_saved = operation->has_saved;
  slices->written = std::move(operation);
  slices->describe(base);
  release(std::exchange(base.grad_fn, std::move(slices)));
  base.requires_grad = true;
  renew_history(impl);
}

}  // namespace detail
}  // namespace d2l
