// SPDX-License-Identifier: MIT
// RecordedOperation: construction, saved tensors, release.
#include "autograd/recorded_operation.h"

#include <fmt/format.h>

#include <atomic>
#include <utility>

#include "core/messages.h"

namespace d2l::detail {

namespace {

std::uint64_t next_sequence() noexcept {
  static std::atomic<std::uint64_t> count{0};
  return count.fetch_add(1, std::memory_order_relaxed);
}

/// The first of the records that an outer call of release() on this thread will release; null if there is no such call.
thread_local std::shared_ptr<RecordedOperation>* waiting = nullptr;

[[noreturn]] void fail_written(const SavedTensor& saved) {
  const TensorImpl& impl = *saved.tensor.impl();
  const char* const writer = saved.is_result ? nullptr : impl.storage->recorded_writer();
  const char* const maker = writer != nullptr ? writer : saved.made_by;
  const auto made_by = maker == nullptr ? std::string() : fmt::format(", which is output 0 of {},", maker);
  fail<ValueError>(
      "backward",
      fmt::format("one of the variables needed for gradient computation has been modified by an inplace operation: "
                  "[torch.{}{}Tensor {}]{} is at version {}; expected version {} instead. Hint: "
                  "enable anomaly detection to find the operation that failed to compute its gradient, with "
                  "torch.autograd.set_detect_anomaly(True).",
                  impl.device().is_cpu() ? "" : "cuda.", toString(impl.dtype), text(impl.sizes.ref()), made_by,
                  impl.storage->version(), saved.version),
      {}, "write y = x op z, which makes a new tensor, in place of the operation whose name ends in an underscore");
}

}  // namespace

void fail_released() {
  fail<ValueError>(
      "backward",
      "Trying to backward through the graph a second time (or directly access saved tensors after they have already "
      "been freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). "
      "Specify retain_graph=True if you need to backward through the graph a second time or if you need to access "
      "saved tensors after calling backward.",
      {}, "compute the result anew, or call backward(gradient, /*retain_graph=*/true) the first time");
}

const Tensor& checked(const SavedTensor& saved) {
  if (saved.tensor.impl()->storage->version() != saved.version) fail_written(saved);
  return saved.tensor;
}

RecordedOperation::RecordedOperation(Recorded what) : kind(what), sequence(next_sequence()) {}

RecordedOperation::~RecordedOperation() {
  for (Edge& edge : inputs) release(std::move(edge.operation));
  release(std::move(written));
}

std::string RecordedOperation::name() const { return name_of(*this); }

void RecordedOperation::describe(const TensorImpl& result) noexcept {
  sizes = result.sizes;
  dtype = result.dtype;
  device = result.device();
}

void RecordedOperation::check_not_released() const {
  if (released) fail_released();
}

const Tensor& RecordedOperation::saved(std::size_t index) const {
  check_not_released();
  return checked(saved_tensors[index]);
}

void RecordedOperation::release_saved() noexcept {
  released = has_saved;
  for (SavedTensor& saved : saved_tensors) saved.tensor = Tensor();
  if (custom != nullptr) custom->release_saved();
  if (written != nullptr) written->release_saved();
}

void release(std::shared_ptr<RecordedOperation> operation) noexcept {
  if (operation == nullptr || operation.use_count() > 1) return;
  if (waiting != nullptr) {
    operation->next_released = std::exchange(*waiting, operation);
    return;
  }
  std::shared_ptr<RecordedOperation> first;
  waiting = &first;
  operation.reset();
  while (first != nullptr) {
    const auto released = std::exchange(first, first->next_released);
    released->next_released.reset();
  }
  waiting = nullptr;
}

TensorImpl::~TensorImpl() {
  if (grad_fn != nullptr) release(std::move(grad_fn));
}

}  // namespace d2l::detail
