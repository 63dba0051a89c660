// SPDX-License-Identifier: MIT
#include "graphs/capture.h"

#include <algorithm>
#include <atomic>
#include <unordered_map>
#include <unordered_set>

#include "calls/unread_errors.h"
#include "graphs/capture_state.h"

namespace d2l::emulator {
namespace {

/// So that calls of programs without captures need no lock.
std::atomic<int> captures{0};
thread_local cudaStreamCaptureMode interaction = cudaStreamCaptureModeGlobal;
thread_local const char this_thread = 0;

[[noreturn]] void refuse(cudaError_t error, const char* why) {
  explain_failure(why);
  throw Failure{error};
}

void invalidate_blocking_streams_of(const Device& device) {
  bool any = false;
  for (auto& [stream, state] : capturing_streams()) {
    if (&stream->device() != &device || !stream->blocking()) continue;
    state.capture->invalidated = any = true;
  }
  if (any) {
    refuse(cudaErrorStreamCaptureImplicit,
           "The default stream waits for a stream that captures: create that with cudaStreamNonBlocking, or name "
           "another stream here");
  }
}

}  // namespace

std::unordered_map<const Stream*, CapturingStream>& capturing_streams() {
  static auto* const made = new std::unordered_map<const Stream*, CapturingStream>;
  return *made;
}
void count_captures() { captures = static_cast<int>(capturing_streams().size()); }
const void* thread_identity() { return &this_thread; }
cudaStreamCaptureMode exchange_interaction(cudaStreamCaptureMode mode) { return std::exchange(interaction, mode); }

bool any_capture() noexcept { return captures.load(std::memory_order_relaxed) > 0; }

CapturingStream* capturing(const Stream& stream) {
  const auto found = capturing_streams().find(&stream);
  return found == capturing_streams().end() ? nullptr : &found->second;
}

CapturingStream* valid_capture(const Stream& stream) {
  CapturingStream* const state = capturing(stream);
  if (state != nullptr && state->capture->invalidated) {
    refuse(cudaErrorStreamCaptureInvalidated, "A call before was not possible in the capture, which is invalid since");
  }
  return state;
}

Node& add_captured(CapturingStream& to, std::shared_ptr<const Work> work) {
  Node& node = to.capture->graph->add(std::move(work), to.tails);
  to.tails = {{&node, {}}};
  return node;
}

bool record_work(Stream& stream, const Work& work) {
  if (captures == 0) return false;
  const std::lock_guard lock(graph_mutex());
  if (stream.is_default()) invalidate_blocking_streams_of(stream.device());
  CapturingStream* const state = valid_capture(stream);
  if (state == nullptr) return false;
  add_captured(*state, std::make_shared<const Work>(work));
  return true;
}

std::optional<CapturedEvent> captured_event(const Stream& stream) {
  if (captures == 0) return std::nullopt;
  const std::lock_guard lock(graph_mutex());
  if (stream.is_default()) invalidate_blocking_streams_of(stream.device());
  const CapturingStream* const state = valid_capture(stream);
  if (state == nullptr) return std::nullopt;
  return CapturedEvent{state->capture, state->tails};
}

void join_capture(const std::shared_ptr<Stream>& stream, const CapturedEvent& event) {
  const std::lock_guard lock(graph_mutex());
  const auto capture = event.capture.lock();
  if (capture == nullptr) refuse(cudaErrorCapturedEvent, "The event was recorded in a capture that has ended");
  if (stream->is_default()) {
    capture->invalidated = true;
    refuse(cudaErrorStreamCaptureImplicit, "The default stream cannot take part in a capture");
  }
  CapturingStream* state = valid_capture(*stream);
  if (capture->invalidated) throw Failure{cudaErrorStreamCaptureInvalidated};
  if (state != nullptr && state->capture != capture) {
    state->capture->invalidated = capture->invalidated = true;
    refuse(cudaErrorStreamCaptureMerge, "The event belongs to the capture of another graph");
  }
  if (state == nullptr) {
    state = &capturing_streams()[stream.get()];
    state->capture = capture;
    state->stream = stream;
    count_captures();
  }
  for (const Edge& edge : event.tails) {
    const bool known = std::ranges::any_of(state->tails, [&](const Edge& one) { return one.from == edge.from; });
    if (!known) state->tails.push_back(edge);
  }
}

Work plain_work(std::function<void()> function, Operation operation) {
  return plain_work(
      [function = std::move(function)](const std::shared_ptr<Operation>&) {
        function();
        return std::vector<MemoryAccesses>();
      },
      std::move(operation));
}

Work plain_work(Stream::OrderedWork function, Operation operation) {
  Work work;
  work.type = cudaGraphNodeTypeKernel;
  work.name = operation.site.name[0] == '\0' ? "library" : operation.site.name;
  work.enqueue = [function = std::move(function), operation = std::move(operation)](Stream& stream,
                                                                                    const StreamRole& role) {
    return stream.enqueue(role, function, nullptr, operation);
  };
  return work;
}

void forbid_outside_event(const Stream& stream) {
  if (captures == 0) return;
  const std::lock_guard lock(graph_mutex());
  CapturingStream* const state = valid_capture(stream);
  if (state == nullptr) return;
  state->capture->invalidated = true;
  refuse(cudaErrorStreamCaptureIsolation, "The event was recorded outside of the capture: record it in the capture");
}

void forbid_wait(const Stream& stream) {
  if (captures == 0) return;
  const std::lock_guard lock(graph_mutex());
  if (stream.is_default()) invalidate_blocking_streams_of(stream.device());
  CapturingStream* const state = valid_capture(stream);
  if (state == nullptr) return;
  state->capture->invalidated = true;
  refuse(cudaErrorStreamCaptureUnsupported,
         "The stream captures, so there is nothing to wait for: end the capture first");
}

void forbid_device_wait(const Device& device) {
  if (captures == 0) return;
  const std::lock_guard lock(graph_mutex());
  bool any = false;
  for (auto& [stream, state] : capturing_streams()) {
    if (&stream->device() == &device) state.capture->invalidated = any = true;
  }
  if (any) refuse(cudaErrorStreamCaptureUnsupported, "A stream of the device captures: end the capture first");
}

void forbid_event_wait(const CapturedEvent& event) {
  const std::lock_guard lock(graph_mutex());
  if (const auto capture = event.capture.lock(); capture != nullptr) capture->invalidated = true;
  refuse(cudaErrorCapturedEvent, "The event was recorded in a stream that captures: the host cannot ask for it");
}

void forbid_unsafe_call() {
  if (captures == 0 || interaction == cudaStreamCaptureModeRelaxed) return;
  const std::lock_guard lock(graph_mutex());
  bool forbidden = false;
  const auto applies = [](const Capture& capture) {
    if (capture.thread == thread_identity()) return capture.mode != cudaStreamCaptureModeRelaxed;
    return interaction == cudaStreamCaptureModeGlobal && capture.mode == cudaStreamCaptureModeGlobal;
  };
  for (auto& [stream, state] : capturing_streams()) {
    if (applies(*state.capture)) state.capture->invalidated = forbidden = true;
  }
  if (forbidden) {
    refuse(
        cudaErrorStreamCaptureUnsupported,
        "A stream captures, and this call is not safe meanwhile: call it before, use cudaMallocAsync and cudaFreeAsync "
        "for memory, or begin the capture with cudaStreamCaptureModeRelaxed");
  }
}

}  // namespace d2l::emulator
