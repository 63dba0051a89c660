// SPDX-License-Identifier: MIT
// HIP's launches, its names of indices, dynamic shared memory, vectors with operators, and code for the device alone.
#include <hip/hip_runtime.h>

#include <vector>

#define REQUIRE(condition)                                                           \
  do {                                                                               \
    if (!(condition)) {                                                              \
      std::fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
      std::exit(EXIT_FAILURE);                                                       \
    }                                                                                \
  } while (0)

constexpr int count = 512;
constexpr int threads = 128;

__device__ int where() {
#ifdef __HIP_DEVICE_COMPILE__
  return 1;
#else
  return 0;
#endif
}
bool host_is_device() {
#ifdef __HIP_DEVICE_COMPILE__
  return true;
#else
  return false;
#endif
}

__global__ void reverse(const int* in, int* out) {
  HIP_DYNAMIC_SHARED(int, part)
  const int i = hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x;
  part[hipThreadIdx_x] = in[i] + (hipGridDim_x == 4 ? 0 : 1000);
  __syncthreads();
  out[i] = part[hipBlockDim_x - 1 - hipThreadIdx_x];
}

template <class T, int Factor>
__global__ void scale(const T* in, T* out, T more) {
  extern __shared__ T copied[];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  copied[threadIdx.x] = in[i];
  __builtin_amdgcn_s_barrier();
  out[i] = copied[threadIdx.x ^ 1] * Factor + more;
}

__global__ void vectors(float4* out, int* places) {
  const float4 a = make_float4(1, 2, 3, 4);
  float4 b = a * 2.0f + a;
  b += a;
  b /= 4;
  b -= make_float4(0, 1, 0, 1);
  out[threadIdx.x] = -b;
  places[threadIdx.x] = where();
}

__global__ void identify(unsigned* bits, double* sum, unsigned long* places, float* largest) {
  bits[threadIdx.x] = __bitextract_u32(0xabcdU + threadIdx.x, 4, 8);
  unsafeAtomicAdd(sum, 0.5);
  atomicAdd(places, static_cast<unsigned long>(threadIdx.x));
  atomicMax(largest, static_cast<float>(threadIdx.x) - 3.0f);
}

int main() {
  int *in, *out;
  REQUIRE(hipMalloc(&in, count * sizeof(int)) == hipSuccess);
  REQUIRE(hipMalloc(&out, count * sizeof(int)) == hipSuccess);
  std::vector<int> values(count), found(count);
  for (int i = 0; i < count; ++i) values[i] = i * i;
  REQUIRE(hipMemcpy(in, values.data(), count * sizeof(int), hipMemcpyHostToDevice) == hipSuccess);
  const auto read = [&] {
    REQUIRE(hipGetLastError() == hipSuccess);
    REQUIRE(hipMemcpy(found.data(), out, count * sizeof(int), hipMemcpyDeviceToHost) == hipSuccess);
  };

  hipLaunchKernelGGL(reverse, dim3(count / threads), dim3(threads), threads * sizeof(int), 0, in, out);
  read();
  for (int i = 0; i < count; ++i) REQUIRE(found[i] == values[i / threads * threads + threads - 1 - i % threads]);

  hipLaunchKernelGGL(HIP_KERNEL_NAME(scale<int, 3>), count / threads, threads, threads * sizeof(int), nullptr, in, out,
                     5);
  read();
  for (int i = 0; i < count; ++i) REQUIRE(found[i] == 3 * values[i ^ 1] + 5);
  hipLaunchKernelGGL((scale<int, 7>), dim3(count / threads), dim3(threads), threads * sizeof(int), nullptr, in, out, 1);
  read();
  for (int i = 0; i < count; ++i) REQUIRE(found[i] == 7 * values[i ^ 1] + 1);

  int more = 2;
  void* arguments[] = {&in, &out, &more};
  REQUIRE(hipLaunchKernel(reinterpret_cast<const void*>(scale<int, 2>), dim3(count / threads), dim3(threads), arguments,
                          threads * sizeof(int), nullptr) == hipSuccess);
  read();
  for (int i = 0; i < count; ++i) REQUIRE(found[i] == 2 * values[i ^ 1] + 2);

  float4 *four, four_found[4];
  REQUIRE(hipMalloc(&four, sizeof four_found) == hipSuccess);
  vectors<<<1, 4>>>(four, out);
  REQUIRE(hipMemcpy(four_found, four, sizeof four_found, hipMemcpyDeviceToHost) == hipSuccess);
  read();
  REQUIRE(four_found[3] == make_float4(-1, -1, -3, -3) && four_found[0] != make_float4(0, 0, 0, 0));
  REQUIRE(found[2] == 1 && !host_is_device());

  unsigned* bits;
  double* sum;
  REQUIRE(hipMallocManaged(&bits, 64 * sizeof(unsigned)) == hipSuccess);
  REQUIRE(hipMallocManaged(&sum, sizeof(double) + sizeof(unsigned long) + sizeof(float)) == hipSuccess);
  auto* const places = reinterpret_cast<unsigned long*>(sum + 1);
  auto* const largest = reinterpret_cast<float*>(places + 1);
  *sum = 1;
  *places = 0;
  *largest = -10;
  identify<<<1, 64>>>(bits, sum, places, largest);
  REQUIRE(hipDeviceSynchronize() == hipSuccess);
  REQUIRE(bits[0] == 0xbc && bits[3] == 0xbd && *sum == 33 && *places == 64 * 63 / 2 && *largest == 60);
  for (void* memory : {static_cast<void*>(in), static_cast<void*>(out), static_cast<void*>(four),
                       static_cast<void*>(bits), static_cast<void*>(sum)}) {
    REQUIRE(hipFree(memory) == hipSuccess);
  }
  std::puts("PASSED");
}
