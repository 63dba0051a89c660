// The toolkit's headers that programs name besides cuda_runtime.h, and libcu++'s synchronisation.
#include <builtin_types.h>
#include <cuda_bf16.h>
#include <cuda_device_runtime_api.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>
#include <curand_kernel.h>
#include <device_launch_parameters.h>
#include <driver_functions.h>
#include <driver_types.h>
#include <library_types.h>
#include <math_constants.h>
#include <sm_20_intrinsics.h>
#include <sm_30_intrinsics.h>
#include <sm_32_intrinsics.h>
#include <sm_35_intrinsics.h>
#include <sm_60_atomic_functions.h>
#include <sm_61_intrinsics.h>
#include <vector_functions.h>
#include <vector_types.h>

#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/semaphore>

#include "verify.h"

__device__ cuda::binary_semaphore<cuda::thread_scope_device> in_use{1};

__global__ void meet(int* x) {
  using Latch = cuda::latch<cuda::thread_scope_block>;
  __shared__ alignas(8) unsigned char memory[sizeof(Latch)];
  Latch& written = *reinterpret_cast<Latch*>(memory);
  if (threadIdx.x == 0) new (memory) Latch(blockDim.x);
  __syncthreads();
  x[1 + threadIdx.x] = static_cast<int>(threadIdx.x);
  written.arrive_and_wait();
  const int of_next = x[1 + (threadIdx.x + 1) % blockDim.x];
  if (threadIdx.x % 32 != 0) return;
  in_use.acquire();
  x[0] += of_next;
  in_use.release();
}

__global__ void in_both_formats(float* out) {
  const __nv_bfloat16 a = __float2bfloat16(1.5F);
  const __half b = __float2half(2.25F);  // cuda_bf16.h brings cuda_fp16.h
  *out = __bfloat162float(a) + __half2float(b);
}

int main() {
  int* x;
  float* y;
  CHECK(cudaMallocManaged(&x, 65 * sizeof(int)));
  CHECK(cudaMallocManaged(&y, sizeof(float)));
  x[0] = 0;
  meet<<<1, 64>>>(x);
  in_both_formats<<<1, 1>>>(y);
  CHECK(cudaDeviceSynchronize());
  verify(x[0] == 1 + 33, "a latch and a semaphore");
  verify(*y == 3.75F, "two formats of 16 bits");
  const cudaExtent extent = make_cudaExtent(4, 5, 6);
  verify(extent.depth == 6 && CUDA_R_16BF == 14, "types");
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return passed();
}
