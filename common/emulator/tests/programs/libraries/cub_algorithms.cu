// CUB's algorithms over runs, segments, keys and parts, and collectives that move the items of a block.
#include <cub/cub.cuh>
#include <vector>

#include "verify.h"

struct Less {
  __host__ __device__ bool operator()(int a, int b) const { return a < b; }
};
struct Plus {
  __host__ __device__ int operator()(int a, int b) const { return a + b; }
};
struct Odd {
  __host__ __device__ bool operator()(int a) const { return a % 2 != 0; }
};
struct Different {
  __host__ __device__ bool operator()(int a, int b) const { return a != b; }
};

template <int Threads, int Items>
__global__ void block_kernel(const int* input, int* striped, int* sorted, int* heads, unsigned* counts) {
  using Exchange = cub::BlockExchange<int, Threads, Items>;
  using Sort = cub::BlockRadixSort<int, Threads, Items, int>;
  using Heads = cub::BlockDiscontinuity<int, Threads>;
  using Histogram = cub::BlockHistogram<int, Threads, Items, 16>;
  __shared__ union {
    typename Exchange::TempStorage exchange;
    typename Sort::TempStorage sort;
    typename Heads::TempStorage heads;
    typename Histogram::TempStorage histogram;
  } storage;
  __shared__ unsigned bins[16];
  int items[Items], places[Items], flags[Items];
  cub::LoadDirectStriped<Threads>(threadIdx.x, input, items);
  Exchange(storage.exchange).StripedToBlocked(items);
  for (int i = 0; i < Items; ++i) {
    striped[threadIdx.x * Items + i] = items[i];
    places[i] = threadIdx.x * Items + i;
  }
  __syncthreads();
  Sort(storage.sort).Sort(items, places, 0, 4);  // by the lowest four bits only
  __syncthreads();
  cub::StoreDirectBlocked(threadIdx.x, sorted, places);
  for (int i = 0; i < Items; ++i) items[i] %= 16;
  Heads(storage.heads).FlagHeads(flags, items, Different());
  cub::StoreDirectBlocked(threadIdx.x, heads, flags);
  __syncthreads();
  Histogram(storage.histogram).Histogram(items, bins);
  __syncthreads();
  if (threadIdx.x < 16) counts[threadIdx.x] = bins[threadIdx.x];
}

/// A running sum over the pieces of a block's input.
struct Running {
  int total;
  __device__ int operator()(int of_the_piece) {
    const int before = total;
    total += of_the_piece;
    return before;
  }
};
__global__ void long_scan(const int* input, int* output, int pieces) {
  using Scan = cub::BlockScan<int, 64>;
  __shared__ typename Scan::TempStorage storage;
  Running running{0};
  for (int piece = 0; piece < pieces; ++piece) {
    int value = input[piece * 64 + threadIdx.x];
    Scan(storage).InclusiveSum(value, value, running);
    output[piece * 64 + threadIdx.x] = value;
    __syncthreads();
  }
}

template <class T>
T* managed(std::size_t count) {
  T* memory = nullptr;
  cudaMallocManaged(&memory, count * sizeof(T));
  return memory;
}
/// Calls an algorithm of CUB for the size of its memory, and then with it.
template <class Algorithm>
void run(Algorithm algorithm) {
  void* storage = nullptr;
  std::size_t bytes = 0;
  verify(algorithm(storage, bytes) == cudaSuccess, "the size of the memory");
  cudaMalloc(&storage, bytes);
  verify(algorithm(storage, bytes) == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess, "an algorithm");
  cudaFree(storage);
}

int main() {
  constexpr int threads = 64, items = 4, n = threads * items;
  int *input = managed<int>(n), *a = managed<int>(n), *b = managed<int>(n), *c = managed<int>(n);
  int* number = managed<int>(1);
  unsigned* counts = managed<unsigned>(16);
  for (int i = 0; i < n; ++i) input[i] = (i * 37) % 101;

  block_kernel<threads, items><<<1, threads>>>(input, a, b, c, counts);
  cudaDeviceSynchronize();
  bool right = true;
  unsigned all = 0;
  for (int i = 0; i < n; ++i) {
    right = right && a[i] == input[i];
    if (i == 0) continue;
    const int left = input[b[i - 1]] % 16, here = input[b[i]] % 16;
    right = right && (left < here || (left == here && b[i - 1] < b[i])) && c[i] == (left != here ? 1 : 0);
  }
  for (int bin = 0; bin < 16; ++bin) all += counts[bin];
  verify(right && all == n && c[0] == 1, "collectives that move items");
  long_scan<<<1, 64>>>(input, a, n / 64);
  cudaDeviceSynchronize();
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += input[i];
    right = right && a[i] == sum;
  }
  verify(right, "a scan in pieces");

  const int values[8] = {3, 3, 1, 7, 7, 7, 2, 4};
  for (int i = 0; i < 8; ++i) input[i] = values[i];
  using Memory = std::size_t&;
  run([=](void* m, Memory size) { return cub::DevicePartition::If(m, size, input, a, number, 8, Odd()); });
  verify(*number == 6 && a[0] == 3 && a[5] == 7 && a[6] == 4 && a[7] == 2, "a partition");
  run([=](void* m, Memory size) { return cub::DeviceRunLengthEncode::Encode(m, size, input, a, b, number, 8); });
  verify(*number == 5 && a[2] == 7 && b[0] == 2 && b[2] == 3, "runs");
  run([=](void* m, Memory size) {
    return cub::DeviceRunLengthEncode::NonTrivialRuns(m, size, input, a, b, number, 8);
  });
  verify(*number == 2 && a[1] == 3 && b[1] == 3, "runs of more than one");
  run([=](void* m, Memory size) {
    return cub::DeviceReduce::ReduceByKey(m, size, input, a, input, b, number, Plus(), 8);
  });
  verify(*number == 5 && a[0] == 3 && b[0] == 6 && b[2] == 21, "sums by key");
  run([=](void* m, Memory size) { return cub::DeviceScan::ExclusiveSumByKey(m, size, input, input, a, 8); });
  verify(a[0] == 0 && a[1] == 3 && a[2] == 0 && a[5] == 14, "scans by key");
  c[0] = 0;
  c[1] = 3;
  c[2] = 8;
  run([=](void* m, Memory size) { return cub::DeviceSegmentedReduce::Sum(m, size, input, a, 2, c, c + 1); });
  run([=](void* m, Memory size) { return cub::DeviceSegmentedReduce::Max(m, size, input, a + 2, 2, c, c + 1); });
  verify(a[0] == 7 && a[1] == 27 && a[2] == 3 && a[3] == 7, "reductions of segments");
  run([=](void* m, Memory size) {
    return cub::DeviceSegmentedRadixSort::SortKeysDescending(m, size, input, a, 8, 2, c, c + 1);
  });
  verify(a[0] == 3 && a[2] == 1 && a[3] == 7 && a[6] == 4 && a[7] == 2, "sorts of segments");
  run([=](void* m, Memory size) { return cub::DeviceRadixSort::SortKeys(m, size, input, a, 8, 0, 2); });
  verify(a[0] == 4 && a[1] == 1 && a[2] == 2 && a[3] == 3 && a[7] == 7, "a sort by two bits");
  run([=](void* m, Memory size) { return cub::DeviceMergeSort::SortKeys(m, size, input, 8, Less()); });
  verify(input[0] == 1 && input[7] == 7, "a sort with a function");

  cub::CachingDeviceAllocator allocator;
  void* memory = nullptr;
  verify(CubDebug(allocator.DeviceAllocate(&memory, 1000)) == cudaSuccess, "an allocator");
  verify(CubDebug(allocator.DeviceFree(memory)) == cudaSuccess, "an allocator frees");
  for (int* p : {input, a, b, c, number}) cudaFree(p);
  cudaFree(counts);
  return passed();
}
