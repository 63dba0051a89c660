// Thrust's vectors and algorithms, together with kernels and memory of the runtime.
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/system/cuda/execution_policy.h>
#include <thrust/transform_reduce.h>

#include "verify.h"

struct Square {
  __host__ __device__ int operator()(int x) const { return x * x; }
};

__global__ void add(int* data, int value, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += value;
}

int main() {
  constexpr int n = 1000;
  thrust::host_vector<int> host(n);
  for (int i = 0; i < n; ++i) host[i] = (i * 7919) % n;
  thrust::device_vector<int> device = host;
  thrust::sort(device.begin(), device.end());
  add<<<4, 256>>>(thrust::raw_pointer_cast(device.data()), 1, n);
  const int sum = thrust::reduce(device.begin(), device.end(), 0, thrust::plus<int>());
  verify(sum == n * (n + 1) / 2, "a kernel between two algorithms");
  verify(thrust::transform_reduce(device.begin(), device.begin() + 3, Square(), 0, thrust::plus<int>()) == 14,
         "squares");
  verify(device[n - 1] == n, "an element is read");

  int* raw;
  cudaMalloc(&raw, n * sizeof(int));
  thrust::device_ptr<int> pointer(raw);
  thrust::sequence(pointer, pointer + n);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  add<<<4, 256, 0, stream>>>(raw, 2, n);
  thrust::inclusive_scan(thrust::cuda::par.on(stream), pointer, pointer + n, pointer);
  thrust::sort(thrust::device, raw, raw + n, thrust::greater<int>());
  int first = 0;
  cudaMemcpy(&first, raw, sizeof first, cudaMemcpyDeviceToHost);
  verify(first == n * (n - 1) / 2 + 2 * n, "algorithms on memory from cudaMalloc");
  host = device;
  verify(host[0] == 1 && thrust::inner_product(device.begin(), device.begin() + 2, host.begin(), 0) == 5,
         "copies back");
  try {
    throw thrust::system_error(1, thrust::generic_category(), "sort");
  } catch (const thrust::system_error& error) {
    verify(error.code().value() == 1, "an error of Thrust");
  }
  cudaStreamDestroy(stream);
  cudaFree(raw);
  return passed();
}
