// SPDX-License-Identifier: MIT
// Thrust's vectors and algorithms beside the headers of libcu++.
#include <thrust/device_free.h>
#include <thrust/device_malloc.h>
#include <thrust/device_vector.h>
#include <thrust/for_each.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/tuple.h>
#include <thrust/universal_vector.h>

#include <cub/block/block_reduce.cuh>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/std/atomic>
#include <cuda/std/limits>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

#include "verify.h"

struct AddToSecond {
  template <class Pair>
  __host__ __device__ void operator()(Pair pair) const {
    thrust::get<1>(pair) += thrust::get<0>(pair);
  }
};

__global__ void sum_of_blocks(const int* data, int n, int* sum) {
  using Reduce = cub::BlockReduce<int, 128>;
  __shared__ typename Reduce::TempStorage storage;
  __shared__ cuda::barrier<cuda::thread_scope_block> arrived;
  if (threadIdx.x == 0) init(&arrived, blockDim.x);
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const cuda::std::tuple<int, int> pair(i, i < n ? data[i] : 0);
  arrived.arrive_and_wait();
  const int of_block = Reduce(storage).Sum(cuda::std::get<1>(pair));
  if (threadIdx.x == 0) {
    cuda::atomic_ref<int, cuda::thread_scope_device>(*sum).fetch_add(of_block, cuda::std::memory_order_relaxed);
  }
}

int main() {
  constexpr int n = 300;
  static_assert(cuda::std::is_same<cuda::std::common_type<int, long>::type, long>::value, "type traits");
  thrust::device_vector<int> values(n, 2);
  thrust::device_ptr<int> sum = thrust::device_malloc<int>(1);
  *sum = 0;
  sum_of_blocks<<<3, 128>>>(thrust::raw_pointer_cast(values.data()), n, sum.get());
  verify(*sum == 2 * n, "a kernel with atomics of libcu++ on memory of device_malloc()");
  thrust::device_free(sum);

  thrust::universal_vector<int> more(n, 1);
  const auto first = thrust::make_zip_iterator(thrust::make_tuple(values.begin(), more.begin()));
  thrust::for_each(first, first + n, AddToSecond());
  verify(thrust::reduce(more.begin(), more.end()) == 3 * n && more[n - 1] == 3, "a zip iterator of two vectors");
  verify(cuda::std::numeric_limits<int>::max() == 2147483647, "limits");
  return passed();
}
