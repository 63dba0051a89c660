// SPDX-License-Identifier: MIT
// Memory of graphs: nodes that allocate and free it, captured ones, and memory that outlives a launch.
#include <vector>

#include "verify.h"

constexpr int n = 1 << 12;
constexpr size_t bytes = n * sizeof(int);

__global__ void fill(int* x, int value) { x[blockIdx.x * blockDim.x + threadIdx.x] = value; }
__global__ void add(const int* a, const int* b, int* sum) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  sum[i] = a[i] + b[i];
}

unsigned long long attribute(cudaGraphMemAttributeType which) {
  unsigned long long value = 0;
  CHECK(cudaDeviceGetGraphMemAttribute(0, which, &value));
  return value;
}

void captured_memory() {
  cudaStream_t stream;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  int* sum;
  CHECK(cudaMalloc(&sum, bytes));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  int *a, *b;
  CHECK(cudaMallocAsync(&a, bytes, stream));
  CHECK(cudaMallocAsync(&b, bytes, stream));
  fill<<<n / 256, 256, 0, stream>>>(a, 40);
  fill<<<n / 256, 256, 0, stream>>>(b, 2);
  add<<<n / 256, 256, 0, stream>>>(a, b, sum);
  CHECK(cudaFreeAsync(a, stream));
  CHECK(cudaFreeAsync(b, stream));
  cudaGraph_t graph;
  CHECK(cudaStreamEndCapture(stream, &graph));
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  REQUIRE(attribute(cudaGraphMemAttrUsedMemCurrent) == 0);
  for (int round = 0; round < 3; ++round) {
    CHECK(cudaMemsetAsync(sum, 0, bytes, stream));
    CHECK(cudaGraphLaunch(exec, stream));
    std::vector<int> host(n);
    CHECK(cudaMemcpyAsync(host.data(), sum, bytes, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    for (const int value : host) REQUIRE(value == 42);
  }
  REQUIRE(attribute(cudaGraphMemAttrUsedMemCurrent) == 0);
  REQUIRE(attribute(cudaGraphMemAttrReservedMemHigh) >= bytes);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaFree(sum));
  CHECK(cudaStreamDestroy(stream));
}

cudaGraph_t graph_that_allocates(int** memory) {
  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaMemAllocNodeParams allocation{};
  allocation.poolProps.allocType = cudaMemAllocationTypePinned;
  allocation.poolProps.location.type = cudaMemLocationTypeDevice;
  allocation.poolProps.location.id = 0;
  allocation.bytesize = bytes;
  cudaGraphNode_t allocated, filled;
  CHECK(cudaGraphAddMemAllocNode(&allocated, graph, nullptr, 0, &allocation));
  REQUIRE(allocation.dptr != nullptr);
  *memory = static_cast<int*>(allocation.dptr);
  int value = 9;
  void* arguments[] = {memory, &value};
  cudaKernelNodeParams kernel{};
  kernel.func = (void*)fill;
  kernel.gridDim = n / 256;
  kernel.blockDim = 256;
  kernel.kernelParams = arguments;
  CHECK(cudaGraphAddKernelNode(&filled, graph, &allocated, 1, &kernel));
  cudaMemAllocNodeParams known;
  CHECK(cudaGraphMemAllocNodeGetParams(allocated, &known));
  REQUIRE(known.bytesize == bytes && known.dptr == *memory);
  return graph;
}

/// The stream, or another graph, frees what a graph has allocated.
void memory_that_outlives_a_launch() {
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  int* memory = nullptr;
  const cudaGraph_t allocates = graph_that_allocates(&memory);
  cudaGraph_t frees;
  CHECK(cudaGraphCreate(&frees, 0));
  cudaGraphNode_t freed;
  CHECK(cudaGraphAddMemFreeNode(&freed, frees, nullptr, 0, memory));
  cudaGraphExec_t exec, exec_that_frees;
  CHECK(cudaGraphInstantiate(&exec, allocates, 0));
  CHECK(cudaGraphInstantiate(&exec_that_frees, frees, 0));
  std::vector<int> host(n);
  for (int round = 0; round < 3; ++round) {
    CHECK(cudaGraphLaunch(exec, stream));
    REQUIRE(attribute(cudaGraphMemAttrUsedMemCurrent) >= bytes);
    CHECK(cudaMemcpyAsync(host.data(), memory, bytes, cudaMemcpyDeviceToHost, stream));
    if (round == 0) CHECK(cudaFreeAsync(memory, stream));
    if (round == 1) CHECK(cudaGraphLaunch(exec_that_frees, stream));
    CHECK(cudaStreamSynchronize(stream));
    if (round == 2) CHECK(cudaFree(memory));
    for (const int value : host) REQUIRE(value == 9);
  }
  CHECK(cudaGraphLaunch(exec, stream));
  REQUIRE(cudaGraphLaunch(exec, stream) == cudaErrorInvalidValue);  // the memory is not freed
  cudaGetLastError();
  CHECK(cudaFreeAsync(memory, stream));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphInstantiate(&exec, allocates, cudaGraphInstantiateFlagAutoFreeOnLaunch));
  for (int round = 0; round < 3; ++round) CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaMemcpyAsync(host.data(), memory, bytes, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaFreeAsync(memory, stream));
  CHECK(cudaStreamSynchronize(stream));
  REQUIRE(host[n - 1] == 9);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphExecDestroy(exec_that_frees));
  CHECK(cudaGraphDestroy(allocates));
  CHECK(cudaGraphDestroy(frees));
  CHECK(cudaStreamDestroy(stream));
}

int main() {
  captured_memory();
  memory_that_outlives_a_launch();
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaDeviceGraphMemTrim(0));
  REQUIRE(attribute(cudaGraphMemAttrUsedMemCurrent) == 0 && attribute(cudaGraphMemAttrReservedMemCurrent) == 0);
  return passed();
}
