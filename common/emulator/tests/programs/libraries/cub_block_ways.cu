// SPDX-License-Identifier: MIT
// CUB's reductions, scans, loads and stores of a block in each of their ways, with blocks and items of any number.
#include <cub/cub.cuh>
#include <vector>

#include "verify.h"

// x -> scale * x + offset. The order matters when two are joined.
struct Affine {
  long long scale, offset, padding;
};
__host__ __device__ bool operator==(const Affine& a, const Affine& b) {
  return a.scale == b.scale && a.offset == b.offset;
}
struct Then {
  __host__ __device__ Affine operator()(const Affine& first, const Affine& second) const {
    return {first.scale * second.scale % 9973, (first.offset * second.scale + second.offset) % 9973, 0};
  }
};
__host__ __device__ Affine item(int i) { return {i % 5 + 1, i % 7, 0}; }

// What comes before the items of a tile.
struct Running {
  Affine before;
  __device__ Affine operator()(const Affine& tile) {
    const Affine old = before;
    before = Then()(old, tile);
    return old;
  }
};

template <int Threads, int Items, class Reduce, class Scan>
__global__ void affine_kernel(int valid, Affine* sums, Affine* inclusive, Affine* exclusive, Affine* running) {
  __shared__ typename Reduce::TempStorage reduce_storage;
  __shared__ typename Scan::TempStorage scan_storage;
  const int rank = threadIdx.x;
  Affine own[Items], result[Items], total;
  for (int i = 0; i < Items; ++i) own[i] = item(rank * Items + i);

  const Affine sum = Reduce(reduce_storage).Reduce(own, Then());
  if (rank == 0) sums[0] = sum;
  __syncthreads();
  const Affine part = Reduce(reduce_storage).Reduce(item(rank), Then(), valid);
  if (rank == 0) sums[1] = part;

  Scan(scan_storage).InclusiveScan(own, result, Then(), total);
  if (rank == Threads / 2) sums[2] = total;
  for (int i = 0; i < Items; ++i) inclusive[rank * Items + i] = result[i];
  __syncthreads();
  Scan(scan_storage).ExclusiveScan(own, result, Affine{3, 4, 0}, Then());
  for (int i = 0; i < Items; ++i) exclusive[rank * Items + i] = result[i];
  __syncthreads();
  Running prefix{{1, 0, 0}};
  for (int tile = 0; tile < 2; ++tile) {
    Affine one = item(tile * Threads + rank), scanned;
    Scan(scan_storage).InclusiveScan(one, scanned, Then(), prefix);
    running[tile * Threads + rank] = scanned;
    __syncthreads();
  }
}

Affine joined(int end) {
  Affine all{1, 0, 0};
  for (int i = 0; i < end; ++i) all = Then()(all, item(i));
  return all;
}

template <int Threads, int Items, cub::BlockReduceAlgorithm ReduceBy, cub::BlockScanAlgorithm ScanBy>
void verify_affine() {
  using Reduce = cub::BlockReduce<Affine, Threads, ReduceBy>;
  using Scan = cub::BlockScan<Affine, Threads, ScanBy>;
  constexpr int n = Threads * Items;
  Affine *sums, *inclusive, *exclusive, *running;
  cudaMallocManaged(&sums, 3 * sizeof(Affine));
  cudaMallocManaged(&inclusive, n * sizeof(Affine));
  cudaMallocManaged(&exclusive, n * sizeof(Affine));
  cudaMallocManaged(&running, 2 * Threads * sizeof(Affine));
  const int valid = Threads * 2 / 3 + 1;
  affine_kernel<Threads, Items, Reduce, Scan><<<1, Threads>>>(valid, sums, inclusive, exclusive, running);
  verify(cudaDeviceSynchronize() == cudaSuccess, "a kernel of CUB");
  verify(sums[0] == joined(n), "a reduction of all items");
  verify(sums[1] == joined(valid), "a reduction of the valid items");
  verify(sums[2] == joined(n), "the total of a scan");
  for (int i = 0; i < n; ++i) {
    verify(inclusive[i] == joined(i + 1), "an inclusive scan");
    verify(exclusive[i] == Then()(Affine{3, 4, 0}, joined(i)), "an exclusive scan");
  }
  for (int i = 0; i < 2 * Threads; ++i) verify(running[i] == joined(i + 1), "a scan of two tiles");
  for (Affine* const memory : {sums, inclusive, exclusive, running}) cudaFree(memory);
}

template <int Threads>
void verify_ways() {
  verify_affine<Threads, 1, cub::BLOCK_REDUCE_WARP_REDUCTIONS, cub::BLOCK_SCAN_WARP_SCANS>();
  verify_affine<Threads, 3, cub::BLOCK_REDUCE_RAKING, cub::BLOCK_SCAN_RAKING>();
}

// Copies the valid items; each thread gets items that follow each other, which it changes by its number.
template <class T, int Threads, int Items, cub::BlockLoadAlgorithm LoadBy, cub::BlockStoreAlgorithm StoreBy>
__global__ void copy_kernel(const T* from, T* to, int valid) {
  using Load = cub::BlockLoad<T, Threads, Items, LoadBy>;
  using Store = cub::BlockStore<T, Threads, Items, StoreBy>;
  __shared__ typename Load::TempStorage load_storage;
  __shared__ typename Store::TempStorage store_storage;
  T items[Items];
  if (valid == Threads * Items) {
    Load(load_storage).Load(from, items);
  } else {
    Load(load_storage).Load(from, items, valid, T(7));
  }
  for (int i = 0; i < Items; ++i) items[i] = T(items[i] + threadIdx.x * Items + i);
  if (valid == Threads * Items) {
    Store(store_storage).Store(to, items);
  } else {
    Store(store_storage).Store(to, items, valid);
  }
}

template <class T, int Threads, int Items, cub::BlockLoadAlgorithm LoadBy, cub::BlockStoreAlgorithm StoreBy>
void verify_copy(int valid, int offset) {
  constexpr int n = Threads * Items;
  T *from, *to;
  cudaMallocManaged(&from, (n + offset) * sizeof(T));
  cudaMallocManaged(&to, (n + offset) * sizeof(T));
  for (int i = 0; i < n; ++i) {
    from[offset + i] = T(i % 50);
    to[offset + i] = T(99);
  }
  copy_kernel<T, Threads, Items, LoadBy, StoreBy><<<1, Threads>>>(from + offset, to + offset, valid);
  verify(cudaDeviceSynchronize() == cudaSuccess, "a copy by CUB");
  for (int i = 0; i < n; ++i) verify(to[offset + i] == (i < valid ? T(i % 50 + i) : T(99)), "the items of a copy");
  cudaFree(from);
  cudaFree(to);
}

template <class T, int Threads, int Items>
void verify_copies() {
  for (const int valid : {Threads * Items, Threads * Items - 5, 3}) {
    for (const int offset : {0, 1}) {
      verify_copy<T, Threads, Items, cub::BLOCK_LOAD_DIRECT, cub::BLOCK_STORE_DIRECT>(valid, offset);
      verify_copy<T, Threads, Items, cub::BLOCK_LOAD_VECTORIZE, cub::BLOCK_STORE_VECTORIZE>(valid, offset);
      verify_copy<T, Threads, Items, cub::BLOCK_LOAD_TRANSPOSE, cub::BLOCK_STORE_TRANSPOSE>(valid, offset);
      verify_copy<T, Threads, Items, cub::BLOCK_LOAD_DIRECT, cub::BLOCK_STORE_TRANSPOSE>(valid, offset);
      if constexpr (Threads % 32 == 0) {
        verify_copy<T, Threads, Items, cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::BLOCK_STORE_WARP_TRANSPOSE>(valid, offset);
      }
    }
  }
}

// Parts of a warp: 8 lanes each.
__global__ void parts_kernel(int* sums, int* scans, int* totals) {
  using Reduce = cub::WarpReduce<int, 8>;
  using Scan = cub::WarpScan<int, 8>;
  __shared__ Reduce::TempStorage reduce_storage[8];
  __shared__ Scan::TempStorage scan_storage[8];
  const int part = threadIdx.x / 8;
  const int sum = Reduce(reduce_storage[part]).Sum(threadIdx.x, 5);
  if (threadIdx.x % 8 == 0) sums[part] = sum;
  int scanned, total;
  Scan(scan_storage[part]).ExclusiveSum(threadIdx.x, scanned, total);
  scans[threadIdx.x] = scanned;
  totals[threadIdx.x] = total;
}

void verify_parts() {
  int* all;
  cudaMallocManaged(&all, 192 * sizeof(int));
  parts_kernel<<<1, 64>>>(all, all + 64, all + 128);
  verify(cudaDeviceSynchronize() == cudaSuccess, "a kernel with parts of warps");
  for (int i = 0; i < 64; ++i) {
    const int first = i / 8 * 8;
    if (i % 8 == 0) verify(all[i / 8] == 5 * first + 10, "the sum of five lanes");
    verify(all[64 + i] == (i - first) * first + (i - first) * (i - first - 1) / 2, "a scan of eight lanes");
    verify(all[128 + i] == 8 * first + 28, "the total of eight lanes");
  }
  cudaFree(all);
}

int main() {
  verify_ways<32>();
  verify_ways<20>();
  verify_ways<64>();
  verify_ways<100>();
  verify_ways<256>();
  verify_copies<int, 64, 4>();
  verify_copies<short, 96, 8>();
  verify_copies<double, 50, 3>();
  verify_copies<unsigned char, 32, 16>();
  verify_parts();
  return passed();
}
