// SPDX-License-Identifier: MIT
// The functions of CUDA for stream capture.
#include <algorithm>
#include <stdexcept>
#include <unordered_set>

#include "calls/call_site.h"
#include "calls/unread_errors.h"
#include "d2l_emulator/graphs/api.h"
#include "graphs/capture_state.h"

namespace d2l::emulator {
namespace {

std::shared_ptr<Stream> stream_to_capture(cudaStream_t handle) {
  auto stream = stream_of(handle);
  if (stream->is_default() || stream == stream->device().tensor_stream()) {
    explain_failure("The default stream, and that of the tensors, cannot capture: create a stream");
    throw Failure{cudaErrorStreamCaptureUnsupported};
  }
  require(capturing(*stream) == nullptr, cudaErrorIllegalState);
  return stream;
}

void begin_capture(cudaStream_t handle, Graph* graph, std::vector<Edge> tails, cudaStreamCaptureMode mode) {
  require(mode >= cudaStreamCaptureModeGlobal && mode <= cudaStreamCaptureModeRelaxed);
  const auto stream = stream_to_capture(handle);
  static std::uint64_t last_id = 0;
  auto capture = std::make_shared<Capture>();
  capture->id = ++last_id;
  capture->mode = mode;
  capture->thread = thread_identity();
  capture->origin = stream.get();
  if (graph == nullptr) capture->made = std::make_unique<Graph>();
  capture->graph = graph == nullptr ? capture->made.get() : graph;
  CapturingStream& state = capturing_streams()[stream.get()];
  state.capture = std::move(capture);
  state.stream = stream;
  state.tails = std::move(tails);
  count_captures();
}

/// True if the origin waits for all that the other streams have recorded.
bool is_joined(const Capture& capture) {
  std::unordered_set<const Node*> known;
  std::vector<const Node*> open;
  for (const Edge& edge : capturing_streams().at(capture.origin).tails) open.push_back(edge.from);
  while (!open.empty()) {
    const Node* const node = open.back();
    open.pop_back();
    if (!known.insert(node).second) continue;
    for (const Edge& edge : node->dependencies) open.push_back(edge.from);
  }
  return std::ranges::all_of(capturing_streams(), [&](const auto& entry) {
    const CapturingStream& state = entry.second;
    return state.capture.get() != &capture ||
           std::ranges::all_of(state.tails, [&](const Edge& edge) { return known.contains(edge.from); });
  });
}

void end_capture(cudaStream_t handle, cudaGraph_t* graph) {
  if (graph != nullptr) *graph = nullptr;
  const auto stream = stream_of(handle);
  CapturingStream* const state = capturing(*stream);
  require(state != nullptr, cudaErrorIllegalState);
  const auto capture = state->capture;
  require(graph != nullptr || capture->made == nullptr);  // the program has a graph that it captures to
  if (capture->origin != stream.get()) {
    capture->invalidated = true;
    explain_failure("The capture began in another stream: end it there");
    throw Failure{cudaErrorStreamCaptureUnmatched};
  }
  require(capture->mode == cudaStreamCaptureModeRelaxed || capture->thread == thread_identity(),
          cudaErrorStreamCaptureWrongThread);
  const bool joined = is_joined(*capture);
  std::erase_if(capturing_streams(), [&](const auto& entry) { return entry.second.capture == capture; });
  count_captures();
  require(!capture->invalidated, cudaErrorStreamCaptureInvalidated);
  if (!joined) {
    explain_failure(
        "Another stream has recorded work for which the first stream does not wait: record an event after "
        "it, and let the first stream wait for that (cudaEventRecord, cudaStreamWaitEvent)");
    throw Failure{cudaErrorStreamCaptureUnjoined};
  }
  if (graph != nullptr) {
    *graph = capture->made ? give_to_program(std::move(capture->made)) : handle_of(*capture->graph);
  }
}

cudaStreamCaptureStatus status_of(const CapturingStream* state) {
  if (state == nullptr) return cudaStreamCaptureStatusNone;
  return state->capture->invalidated ? cudaStreamCaptureStatusInvalidated : cudaStreamCaptureStatusActive;
}

/// The state of a stream; Failure if it is the default stream and another one, for which it waits, captures.
CapturingStream* asked_state(cudaStream_t handle) {
  const auto stream = stream_of(handle);
  if (stream->is_default()) {
    const bool implied = std::ranges::any_of(capturing_streams(), [&](const auto& entry) {
      return &entry.first->device() == &stream->device() && entry.first->blocking();
    });
    require(!implied, cudaErrorStreamCaptureImplicit);
  }
  return capturing(*stream);
}

}  // namespace

void refuse_capture(cudaStream_t handle) {
  if (!any_capture()) return;
  const std::lock_guard lock(graph_mutex());
  CapturingStream* const state = capturing(*stream_of(handle));
  if (state == nullptr) return;
  state->capture->invalidated = true;
  throw std::runtime_error(
      "algorithms of Thrust cannot be captured by the emulator, because they run on the host: call them outside of the "
      "capture, or use kernels");
}

}  // namespace d2l::emulator

using namespace d2l::emulator;

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  const ApiCall call(__builtin_return_address(0));
  return graph_call([&] { begin_capture(stream, nullptr, {}, mode); });
}
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                          const cudaGraphEdgeData* edges, size_t count, cudaStreamCaptureMode mode) {
  const ApiCall call(__builtin_return_address(0));
  return graph_call([&] {
    Graph& target = graph_of(graph);
    begin_capture(stream, &target, edges_from(target, dependencies, edges, count), mode);
  });
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  const ApiCall call(__builtin_return_address(0));
  return graph_call([&] { end_capture(stream, graph); });
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  const ApiCall call(__builtin_return_address(0));
  return graph_call([&] {
    require(status != nullptr);
    *status = status_of(asked_state(stream));
  });
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  const ApiCall call(__builtin_return_address(0));
  return graph_call([&] {
    require(mode != nullptr && *mode >= cudaStreamCaptureModeGlobal && *mode <= cudaStreamCaptureModeRelaxed);
    *mode = exchange_interaction(*mode);
  });
}
cudaError_t cudaStreamGetCaptureInfo_v3(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                                        cudaGraph_t* graph, const cudaGraphNode_t** dependencies,
                                        const cudaGraphEdgeData** edges, size_t* count) {
  const ApiCall call(__builtin_return_address(0));
  return graph_call([&] {
    require(status != nullptr);
    CapturingStream* const state = asked_state(stream);
    *status = status_of(state);
    if (*status != cudaStreamCaptureStatusActive) return;
    state->told.clear();
    state->told_edges.clear();
    for (const Edge& edge : state->tails) {
      state->told.push_back(handle_of(*edge.from));
      state->told_edges.push_back(edge.data);
    }
    if (id != nullptr) *id = state->capture->id;
    if (graph != nullptr) *graph = handle_of(*state->capture->graph);
    if (dependencies != nullptr) *dependencies = state->told.data();
    if (edges != nullptr) *edges = state->told_edges.data();
    if (count != nullptr) *count = state->told.size();
  });
}
cudaError_t cudaStreamUpdateCaptureDependencies_v2(cudaStream_t stream, cudaGraphNode_t* dependencies,
                                                   const cudaGraphEdgeData* edges, size_t count, unsigned flags) {
  const ApiCall call(__builtin_return_address(0));
  return graph_call([&] {
    require(flags == cudaStreamAddCaptureDependencies || flags == cudaStreamSetCaptureDependencies);
    CapturingStream* const state = valid_capture(*stream_of(stream));
    require(state != nullptr, cudaErrorIllegalState);
    const auto added = edges_from(*state->capture->graph, dependencies, edges, count);
    if (flags == cudaStreamSetCaptureDependencies) state->tails.clear();
    for (const Edge& edge : added) {
      const bool there = std::ranges::any_of(state->tails, [&](const Edge& one) { return one.from == edge.from; });
      if (!there) state->tails.push_back(edge);
    }
  });
}
