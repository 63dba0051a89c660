// SPDX-License-Identifier: MIT
// What is not possible while a stream captures, and what becomes of the capture.
#include <thread>

#include "verify.h"

#define EXPECT(error, call)                                                                                         \
  do {                                                                                                              \
    const cudaError_t got_ = (call);                                                                                \
    if (got_ != (error)) {                                                                                          \
      std::fprintf(stderr, "%s:%d: %s gives %s instead of %s\n", __FILE__, __LINE__, #call, cudaGetErrorName(got_), \
                   cudaGetErrorName(error));                                                                        \
      std::exit(EXIT_FAILURE);                                                                                      \
    }                                                                                                               \
    cudaGetLastError();                                                                                             \
  } while (0)

__global__ void set(int* x, int value) { *x = value; }

cudaStream_t stream_of(unsigned flags) {
  cudaStream_t stream;
  CHECK(cudaStreamCreateWithFlags(&stream, flags));
  return stream;
}
cudaEvent_t event() {
  cudaEvent_t made;
  CHECK(cudaEventCreateWithFlags(&made, cudaEventDisableTiming));
  return made;
}
void begin(cudaStream_t stream, cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal) {
  CHECK(cudaStreamBeginCapture(stream, mode));
}
/// The capture ends with this error, and without a graph.
void ends_with(cudaError_t error, cudaStream_t stream) {
  cudaGraph_t graph = reinterpret_cast<cudaGraph_t>(8);
  EXPECT(error, cudaStreamEndCapture(stream, &graph));
  REQUIRE(graph == nullptr);
  cudaStreamCaptureStatus status;
  CHECK(cudaStreamIsCapturing(stream, &status));
  REQUIRE(status == cudaStreamCaptureStatusNone);
}

int* memory;

void states() {
  const cudaStream_t stream = stream_of(cudaStreamNonBlocking);
  cudaGraph_t graph;
  EXPECT(cudaErrorIllegalState, cudaStreamEndCapture(stream, &graph));
  EXPECT(cudaErrorStreamCaptureUnsupported, cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal));
  begin(stream);
  EXPECT(cudaErrorIllegalState, cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaStreamEndCapture(stream, &graph));
  size_t nodes = 1;
  CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
  REQUIRE(nodes == 0);
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(stream));
}

void waits() {
  const cudaStream_t stream = stream_of(cudaStreamNonBlocking);
  begin(stream);
  EXPECT(cudaErrorStreamCaptureUnsupported, cudaStreamSynchronize(stream));
  cudaStreamCaptureStatus status;
  CHECK(cudaStreamIsCapturing(stream, &status));
  REQUIRE(status == cudaStreamCaptureStatusInvalidated);
  EXPECT(cudaErrorStreamCaptureInvalidated, cudaMemsetAsync(memory, 0, 4, stream));
  ends_with(cudaErrorStreamCaptureInvalidated, stream);
  begin(stream);
  EXPECT(cudaErrorStreamCaptureUnsupported, cudaStreamQuery(stream));
  ends_with(cudaErrorStreamCaptureInvalidated, stream);
  begin(stream);
  EXPECT(cudaErrorStreamCaptureUnsupported, cudaDeviceSynchronize());
  ends_with(cudaErrorStreamCaptureInvalidated, stream);
  const cudaEvent_t inside = event();
  begin(stream);
  CHECK(cudaEventRecord(inside, stream));
  EXPECT(cudaErrorCapturedEvent, cudaEventSynchronize(inside));
  ends_with(cudaErrorStreamCaptureInvalidated, stream);
  CHECK(cudaEventDestroy(inside));
  CHECK(cudaStreamDestroy(stream));
}

void unsafe_calls() {
  const cudaStream_t stream = stream_of(cudaStreamNonBlocking);
  int* other;
  begin(stream, cudaStreamCaptureModeGlobal);
  EXPECT(cudaErrorStreamCaptureUnsupported, cudaMalloc(&other, 4));
  ends_with(cudaErrorStreamCaptureInvalidated, stream);
  begin(stream, cudaStreamCaptureModeGlobal);
  cudaError_t of_thread = cudaSuccess;
  std::thread([&] { of_thread = cudaMalloc(&other, 4); }).join();
  REQUIRE(of_thread == cudaErrorStreamCaptureUnsupported);
  ends_with(cudaErrorStreamCaptureInvalidated, stream);
  cudaGraph_t graph;
  begin(stream, cudaStreamCaptureModeThreadLocal);
  std::thread([&] { of_thread = cudaMalloc(&other, 4); }).join();
  REQUIRE(of_thread == cudaSuccess);
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaFree(other));
  begin(stream, cudaStreamCaptureModeRelaxed);
  CHECK(cudaMalloc(&other, 4));
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphDestroy(graph));
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  begin(stream, cudaStreamCaptureModeGlobal);
  CHECK(cudaThreadExchangeStreamCaptureMode(&mode));
  REQUIRE(mode == cudaStreamCaptureModeGlobal);
  CHECK(cudaFree(other));
  CHECK(cudaThreadExchangeStreamCaptureMode(&mode));
  REQUIRE(mode == cudaStreamCaptureModeRelaxed);
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(stream));
}

void branches() {
  const cudaStream_t first = stream_of(cudaStreamNonBlocking), second = stream_of(cudaStreamNonBlocking);
  const cudaEvent_t fork = event(), outside = event();
  begin(first);
  CHECK(cudaEventRecord(fork, first));
  CHECK(cudaStreamWaitEvent(second, fork, 0));
  set<<<1, 1, 0, second>>>(memory, 1);
  ends_with(cudaErrorStreamCaptureUnjoined, first);
  begin(first);
  set<<<1, 1, 0, first>>>(memory, 1);
  CHECK(cudaEventRecord(fork, first));
  CHECK(cudaStreamWaitEvent(second, fork, 0));
  cudaGraph_t graph;
  EXPECT(cudaErrorStreamCaptureUnmatched, cudaStreamEndCapture(second, &graph));
  ends_with(cudaErrorStreamCaptureInvalidated, first);
  CHECK(cudaEventRecord(outside, second));
  begin(first);
  EXPECT(cudaErrorStreamCaptureIsolation, cudaStreamWaitEvent(first, outside, 0));
  ends_with(cudaErrorStreamCaptureInvalidated, first);
  begin(first);
  begin(second);
  CHECK(cudaEventRecord(fork, first));
  EXPECT(cudaErrorStreamCaptureMerge, cudaStreamWaitEvent(second, fork, 0));
  ends_with(cudaErrorStreamCaptureInvalidated, first);
  ends_with(cudaErrorStreamCaptureInvalidated, second);
  begin(first, cudaStreamCaptureModeThreadLocal);
  cudaError_t of_thread = cudaSuccess;
  std::thread([&] { of_thread = cudaStreamEndCapture(first, &graph); }).join();
  REQUIRE(of_thread == cudaErrorStreamCaptureWrongThread);
  CHECK(cudaStreamEndCapture(first, &graph));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaEventDestroy(fork));
  CHECK(cudaEventDestroy(outside));
  CHECK(cudaStreamDestroy(first));
  CHECK(cudaStreamDestroy(second));
}

void default_stream() {
  const cudaStream_t blocking = stream_of(cudaStreamDefault);
  begin(blocking, cudaStreamCaptureModeRelaxed);
  set<<<1, 1>>>(memory, 1);
  EXPECT(cudaErrorStreamCaptureImplicit, cudaGetLastError());
  ends_with(cudaErrorStreamCaptureInvalidated, blocking);
  begin(blocking, cudaStreamCaptureModeRelaxed);
  int host = 0;
  EXPECT(cudaErrorStreamCaptureImplicit, cudaMemcpy(memory, &host, 4, cudaMemcpyHostToDevice));
  ends_with(cudaErrorStreamCaptureInvalidated, blocking);
  const cudaStream_t independent = stream_of(cudaStreamNonBlocking);
  begin(independent, cudaStreamCaptureModeRelaxed);
  set<<<1, 1>>>(memory, 7);
  CHECK(cudaGetLastError());
  cudaGraph_t graph;
  CHECK(cudaStreamEndCapture(independent, &graph));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaMemcpy(&host, memory, 4, cudaMemcpyDeviceToHost));
  REQUIRE(host == 7);
  CHECK(cudaStreamDestroy(blocking));
  CHECK(cudaStreamDestroy(independent));
}

int main() {
  CHECK(cudaMalloc(&memory, 4));
  states();
  waits();
  unsafe_calls();
  branches();
  default_stream();
  CHECK(cudaFree(memory));
  return passed();
}
