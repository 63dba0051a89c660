// SPDX-License-Identifier: MIT
// Capture: while it lasts, streams record their work as nodes of a graph. Other parts of the runtime ask here whether a
// call is possible meanwhile.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "graphs/graph.h"
#include "runtime/device.h"

namespace d2l::emulator {

struct Capture {
  std::uint64_t id = 0;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  const void* thread = nullptr;  ///< that began it
  const Stream* origin = nullptr;
  std::unique_ptr<Graph> made;  ///< null: it adds to a graph that the program has
  Graph* graph = nullptr;
  bool invalidated = false;
};

/// A stream that takes part, and what its next node waits for.
struct CapturingStream {
  std::shared_ptr<Capture> capture;
  std::shared_ptr<Stream> stream;
  std::vector<Edge> tails;
  std::vector<cudaGraphNode_t> told;  ///< what cudaStreamGetCaptureInfo has returned
  std::vector<cudaGraphEdgeData> told_edges;
};

/// An event that was recorded in a capture.
struct CapturedEvent {
  std::weak_ptr<Capture> capture;
  std::vector<Edge> tails;
};

/// False if no stream captures.
bool any_capture() noexcept;
/// Null if the stream does not capture. Needs graph_mutex().
CapturingStream* capturing(const Stream& stream);
/// The same; Failure if its capture is invalidated.
CapturingStream* valid_capture(const Stream& stream);

/// True if the stream captures: then the work is a node of the graph. Failure if the capture is invalidated, or if the
/// stream is the default one and would wait for a stream that captures.
bool record_work(Stream& stream, const Work& work);
/// Adds a node after what the stream has recorded.
Node& add_captured(CapturingStream& to, std::shared_ptr<const Work> work);

/// What an event that is recorded now stands for; nothing if the stream does not capture.
std::optional<CapturedEvent> captured_event(const Stream& stream);
/// The stream waits for the event, and takes part in its capture from now on.
void join_capture(const std::shared_ptr<Stream>& stream, const CapturedEvent& event);
/// A stream that captures waits for an event outside of the capture.
void forbid_outside_event(const Stream& stream);

/// Failure, which invalidates captures, if the host cannot wait for the stream, for all of the device, or for an event.
void forbid_wait(const Stream& stream);
void forbid_device_wait(const Device& device);
void forbid_event_wait(const CapturedEvent& event);
/// The same for calls that are not safe while a stream captures, such as cudaMalloc.
void forbid_unsafe_call();

}  // namespace d2l::emulator
