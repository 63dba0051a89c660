// SPDX-License-Identifier: MIT
// HIP's runtime: memory, copies, streams, events, properties of a device, graphs, and its errors with HIP's names.
#include <hip/hip_runtime.h>

#include <cstring>
#include <string>
#include <vector>

#define CHECK(call)                                                                                  \
  do {                                                                                               \
    const hipError_t error_ = (call);                                                                \
    if (error_ != hipSuccess) {                                                                      \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, hipGetErrorString(error_)); \
      std::exit(EXIT_FAILURE);                                                                       \
    }                                                                                                \
  } while (0)
#define REQUIRE(condition)                                                           \
  do {                                                                               \
    if (!(condition)) {                                                              \
      std::fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
      std::exit(EXIT_FAILURE);                                                       \
    }                                                                                \
  } while (0)

#if !defined(__HIP_PLATFORM_AMD__) || !defined(__HIPCC__) || defined(__CUDACC__)
#error "the macros of HIP's compiler are wrong"
#endif

__constant__ int factor;
__device__ int total;

__global__ void add(int* values, int count, int other) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) values[i] = values[i] * factor + other;
  if (i == 0) total = count;
}

void errors() {
  REQUIRE(std::strcmp(hipGetErrorName(hipErrorInvalidValue), "hipErrorInvalidValue") == 0);
  REQUIRE(std::strcmp(hipGetErrorName(hipErrorOutOfMemory), "hipErrorOutOfMemory") == 0);
  REQUIRE(std::strcmp(hipGetErrorName(hipErrorInvalidHandle), "hipErrorInvalidHandle") == 0);
  REQUIRE(std::strcmp(hipGetErrorString(hipErrorInvalidValue), "invalid argument") == 0);
  REQUIRE(std::strcmp(hipGetErrorString(hipErrorNoDevice), "no ROCm-capable device is detected") == 0);
  REQUIRE(hipErrorInvalidValue == 1 && hipErrorNotInitialized == 3 && hipErrorNotFound == 500);
  void* memory = nullptr;
  REQUIRE(hipMalloc(&memory, std::size_t{1} << 60) == hipErrorOutOfMemory);
  REQUIRE(hipGetLastError() == hipErrorOutOfMemory);
  int of_host = 0;
  REQUIRE(hipFree(&of_host) == hipErrorInvalidValue);
  add<<<1, 4096>>>(nullptr, 0, 0);
  REQUIRE(hipPeekAtLastError() == hipErrorInvalidConfiguration);
  REQUIRE(hipGetLastError() == hipErrorInvalidConfiguration);
  REQUIRE(hipGetLastError() == hipSuccess);
}

void devices() {
  int count = 0;
  CHECK(hipInit(0));
  CHECK(hipGetDeviceCount(&count));
  REQUIRE(count == 2);
  hipDeviceProp_t properties;
  CHECK(hipGetDeviceProperties(&properties, 1));
  REQUIRE(std::string(properties.gcnArchName).rfind("gfx", 0) == 0);
  REQUIRE(properties.warpSize == 32 && properties.multiProcessorCount > 0 && properties.arch.hasDoubles == 1);
  int value = 0;
  CHECK(hipDeviceGetAttribute(&value, hipDeviceAttributeMultiprocessorCount, 1));
  REQUIRE(value == properties.multiProcessorCount);
  CHECK(hipDeviceGetAttribute(&value, hipDeviceAttributeComputeCapabilityMajor, 1));
  REQUIRE(value == properties.major);
  hipDevice_t device = -1;
  char name[256];
  CHECK(hipDeviceGet(&device, 1));
  CHECK(hipDeviceGetName(name, sizeof name, device));
  REQUIRE(std::string(name) == properties.name);
  int version = 0;
  CHECK(hipRuntimeGetVersion(&version));
  REQUIRE(version == HIP_VERSION && HIP_VERSION_MAJOR >= 6);
}

void memory_and_streams() {
  constexpr int count = 1000;
  constexpr std::size_t bytes = count * sizeof(int);
  int* host = nullptr;
  int* values = nullptr;
  CHECK(hipHostMalloc(&host, bytes, hipHostMallocDefault | hipHostMallocNonCoherent));
  CHECK(hipMalloc(&values, bytes));
  hipPointerAttribute_t attributes;
  CHECK(hipPointerGetAttributes(&attributes, values));
  REQUIRE(attributes.type == hipMemoryTypeDevice && attributes.devicePointer == values && attributes.isManaged == 0);
  for (int i = 0; i < count; ++i) host[i] = i;
  const int three = 3;
  CHECK(hipMemcpyToSymbol(HIP_SYMBOL(factor), &three, sizeof three));
  hipStream_t stream;
  hipEvent_t start, stop;
  CHECK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  CHECK(hipEventCreate(&start));
  CHECK(hipEventCreateWithFlags(&stop, hipEventReleaseToSystem));
  CHECK(hipEventRecord(start, stream));
  CHECK(hipMemcpyHtoDAsync(values, host, bytes, stream));
  add<<<4, 256, 0, stream>>>(values, count, 7);
  CHECK(hipGetLastError());
  CHECK(hipMemcpyAsync(host, values, bytes, hipMemcpyDeviceToHost, stream));
  CHECK(hipEventRecord(stop, stream));
  CHECK(hipEventSynchronize(stop));
  float milliseconds = -1;
  CHECK(hipEventElapsedTime(&milliseconds, start, stop));
  REQUIRE(milliseconds >= 0);
  for (int i = 0; i < count; ++i) REQUIRE(host[i] == 3 * i + 7);
  int found = 0;
  CHECK(hipMemcpyFromSymbol(&found, HIP_SYMBOL(total), sizeof found));
  REQUIRE(found == count);
  CHECK(hipMemsetD32(values, 9, count));
  CHECK(hipMemcpyDtoH(host, values, bytes));
  REQUIRE(host[0] == 9 && host[count - 1] == 9);

  hipGraph_t graph;
  hipGraphExec_t exec;
  CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  add<<<4, 256, 0, stream>>>(values, count, 1);
  CHECK(hipStreamEndCapture(stream, &graph));
  CHECK(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  for (int i = 0; i < 2; ++i) CHECK(hipGraphLaunch(exec, stream));
  CHECK(hipMemcpyWithStream(host, values, bytes, hipMemcpyDeviceToHost, stream));
  REQUIRE(host[500] == (9 * 3 + 1) * 3 + 1);
  CHECK(hipGraphExecDestroy(exec));
  CHECK(hipGraphDestroy(graph));
  CHECK(hipEventDestroy(start));
  CHECK(hipEventDestroy(stop));
  CHECK(hipStreamDestroy(stream));
  CHECK(hipFree(values));
  CHECK(hipHostFree(host));
}

int main() {
  devices();
  memory_and_streams();
  errors();
  std::puts("PASSED");
}
