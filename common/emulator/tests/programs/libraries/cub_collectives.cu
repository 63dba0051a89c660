// CUB's collectives and algorithms.
#include <cub/cub.cuh>

#include "verify.h"

template <int Threads, int Items>
__global__ void block_kernel(const int* input, int* sums, int* scanned, int* sorted) {
  using Load = cub::BlockLoad<int, Threads, Items>;
  using Reduce = cub::BlockReduce<int, Threads>;
  using Scan = cub::BlockScan<int, Threads>;
  using Sort = cub::BlockRadixSort<int, Threads, Items>;
  __shared__ union {
    typename Reduce::TempStorage reduce;
    typename Scan::TempStorage scan;
    typename Sort::TempStorage sort;
  } storage;
  int items[Items];
  Load().Load(input + blockIdx.x * Threads * Items, items);
  const int sum = Reduce(storage.reduce).Sum(items);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
  __syncthreads();
  int prefix[Items];
  Scan(storage.scan).ExclusiveSum(items, prefix);
  __syncthreads();
  int inclusive[Items], total;
  Scan(storage.scan).InclusiveSum(items, inclusive, total);
  bool fits = true;
  for (int i = 0; i < Items; ++i) fits = fits && inclusive[i] == prefix[i] + items[i];
  if (threadIdx.x == Threads - 1) sums[2 + blockIdx.x] = fits && inclusive[Items - 1] == total ? total : -1;
  __syncthreads();
  Sort(storage.sort).Sort(items);
  for (int i = 0; i < Items; ++i) {
    const int place = (blockIdx.x * Threads + threadIdx.x) * Items + i;
    scanned[place] = prefix[i];
    sorted[place] = items[i];
  }
}

struct Larger {
  __host__ __device__ int operator()(int a, int b) const { return a < b ? b : a; }
};

__global__ void warp_kernel(const int* input, int* maxima) {
  using Reduce = cub::WarpReduce<int>;
  __shared__ Reduce::TempStorage storage[4];
  const int warp = threadIdx.x / 32;
  const int most = Reduce(storage[warp]).Reduce(input[threadIdx.x], Larger());
  if (threadIdx.x % 32 == 0) maxima[warp] = most;
}

int main() {
  constexpr int threads = 64, items = 4, n = 2 * threads * items;
  int *input, *sums, *scanned, *sorted;
  cudaMallocManaged(&input, n * sizeof(int));
  cudaMallocManaged(&sums, n * sizeof(int));
  cudaMallocManaged(&scanned, n * sizeof(int));
  cudaMallocManaged(&sorted, n * sizeof(int));
  int total = 0;
  for (int i = 0; i < n; ++i) total += input[i] = (i * 37) % 101;
  block_kernel<threads, items><<<2, threads>>>(input, sums, scanned, sorted);
  cudaDeviceSynchronize();
  verify(sums[0] + sums[1] == total, "the sum of a block");
  verify(sums[2] == sums[0] && sums[3] == sums[1], "an inclusive scan and its total");
  int before = 0;
  bool right = true;
  for (int i = 0; i < n / 2; before += input[i++]) {
    right = right && scanned[i] == before && (i == 0 || sorted[i - 1] <= sorted[i]);
  }
  verify(right, "a scan and a sort of a block");
  warp_kernel<<<1, 128>>>(input, sums);
  cudaDeviceSynchronize();
  int most = 0;
  for (int i = 32; i < 64; ++i) most = max(most, input[i]);
  verify(sums[1] == most, "the maximum of a warp");

  void* storage = nullptr;
  std::size_t bytes = 0;
  cub::DeviceReduce::Sum(storage, bytes, input, sums, n);
  cudaMalloc(&storage, bytes);
  cub::DeviceReduce::Sum(storage, bytes, input, sums, n);
  cub::DeviceScan::InclusiveSum(storage, bytes, input, scanned, n);
  cub::DeviceRadixSort::SortKeys(storage, bytes, input, sorted, n);
  cudaDeviceSynchronize();
  right = true;
  for (int i = 1; i < n; ++i) right = right && sorted[i - 1] <= sorted[i];
  verify(sums[0] == total && scanned[n - 1] == total && right, "algorithms of the device");
  cudaFree(storage);
  return passed();
}
