// SPDX-License-Identifier: MIT
#include "d2l/cuda_graph.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "core/capture.h"
#include "core/messages.h"
#include "core/storage.h"
#include "ledger/ledger.h"
#include "runtime/capturing.h"
#include "runtime/runtime.h"

namespace d2l::cuda {

using detail::fail;

struct CUDAGraph::Impl {
  std::unique_ptr<detail::Capture> capture;  ///< null before capture_begin()
  std::shared_ptr<backend::Graph> graph;     ///< null before capture_end()

  [[nodiscard]] bool captures() const { return capture != nullptr && graph == nullptr; }
  [[nodiscard]] bool captures_in_this_thread() const {
    return captures() && detail::capture_of(capture->device()) == capture.get();
  }
  /// The storages of the tensors from before the capture, and of tensors of the capture that still exist.
  [[nodiscard]] std::vector<std::shared_ptr<detail::Storage>> storages() const;
};

std::vector<std::shared_ptr<detail::Storage>> CUDAGraph::Impl::storages() const {
  std::vector<std::shared_ptr<detail::Storage>> result;
  for (const auto& used : capture->used()) {
    result.push_back(used.storage.lock());
    if (result.back() != nullptr || used.of_capture) continue;
    fail<Error>("replay",
                fmt::format("a tensor that the graph uses does not exist any more, so its memory may be that of "
                            "another tensor: {}",
                            used.tensor),
                {}, "keep every tensor from before the capture as long as the graph");
  }
  return result;
}

CUDAGraph::CUDAGraph() : impl_(std::make_unique<Impl>()) {}
CUDAGraph::~CUDAGraph() { reset(); }

void CUDAGraph::capture_begin(Device device) {
  constexpr const char* name = "capture_begin";
  if (device.is_cpu()) {
    fail<ValueError>(name, "Expected a cuda device, but got: cpu", {},
                     "capture the work of a GPU; the CPU has no queue, so a graph would save nothing");
  }
  static_cast<void>(detail::backend_of(device));
  if (impl_->capture != nullptr) {
    fail<Error>(name, "This CUDAGraph instance already owns a captured graph", {},
                "to capture a new graph, create a new instance or call reset()");
  }
  if (detail::captured_gpu >= 0) {
    fail<Error>(name, fmt::format("this thread already captures the work of {}", gpu(detail::captured_gpu).str()), {},
                "call capture_end() of the other graph first");
  }
  impl_->capture = std::make_unique<detail::Capture>(device);
  detail::set_capture(impl_->capture.get());
}

void CUDAGraph::capture_end() {
  if (!impl_->captures_in_this_thread()) {
    fail<Error>("capture_end", "this thread does not capture with this graph", {},
                "call capture_begin() of the same graph, in the same thread, before it");
  }
  detail::set_capture(nullptr);
  auto& capture = *impl_->capture;
  try {
    impl_->graph = detail::gpu_backend().make_graph(capture.device().index(), capture.take_launches());
  } catch (...) {
    impl_->capture = nullptr;
    throw;
  }
}

void CUDAGraph::replay() {
  if (impl_->graph == nullptr) {
    fail<Error>("replay", "Called CUDAGraph::replay without a preceding successful capture", {},
                "call capture_begin(), the work, and capture_end() before it");
  }
  const auto& capture = *impl_->capture;
  const Device device = capture.device();
  detail::refuse_in_capture(device, "replay", "a graph in a graph is not supported");
  const auto storages = impl_->storages();
  backend::GraphSpans spans;
  if (detail::ledger_is_open()) {
    spans.whole = detail::record({.kind = LedgerEntry::Kind::replay, .name = "replay", .queue = device});
    for (const auto& entry : capture.entries()) spans.launches.push_back(detail::record(entry));
  }
  detail::gpu_backend().replay(device.index(), impl_->graph, std::move(spans));
  for (std::size_t i = 0; i < storages.size(); ++i) {
    if (storages[i] != nullptr && capture.used()[i].written) storages[i]->count_write();
  }
}

void CUDAGraph::reset() {
  if (impl_->captures_in_this_thread()) detail::set_capture(nullptr);
  impl_->graph = nullptr;
  impl_->capture = nullptr;
}

}  // namespace d2l::cuda
