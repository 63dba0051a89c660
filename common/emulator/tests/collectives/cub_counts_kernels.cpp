// SPDX-License-Identifier: MIT
#include "collectives/cub_counts_kernels.h"

#include "kernels.h"

namespace d2l::emulator::testing {

template <cub::BlockReduceAlgorithm Algorithm>
__global__ void block_sum(const int* in, int* out) {
  using Reduce = cub::BlockReduce<int, threads, Algorithm>;
  D2L_TEST_SHARED(storage, typename Reduce::TempStorage);
  const int sum = Reduce(storage).Sum(in[threadIdx.x]);
  if (threadIdx.x == 0) out[0] = sum;
}
template __global__ void block_sum<cub::BLOCK_REDUCE_WARP_REDUCTIONS>(const int*, int*);
template __global__ void block_sum<cub::BLOCK_REDUCE_RAKING>(const int*, int*);

template <cub::BlockScanAlgorithm Algorithm>
__global__ void block_scan(const int* in, int* out) {
  using Scan = cub::BlockScan<int, threads, Algorithm>;
  D2L_TEST_SHARED(storage, typename Scan::TempStorage);
  int sum = 0;
  Scan(storage).InclusiveSum(in[threadIdx.x], sum);
  out[threadIdx.x] = sum;
}
template __global__ void block_scan<cub::BLOCK_SCAN_WARP_SCANS>(const int*, int*);
template __global__ void block_scan<cub::BLOCK_SCAN_RAKING>(const int*, int*);

template <cub::BlockLoadAlgorithm LoadBy, cub::BlockStoreAlgorithm StoreBy>
__global__ void block_copy(const int* in, int* out) {
  using Load = cub::BlockLoad<int, threads, 4, LoadBy>;
  using Store = cub::BlockStore<int, threads, 4, StoreBy>;
  D2L_TEST_SHARED(load_storage, typename Load::TempStorage);
  D2L_TEST_SHARED(store_storage, typename Store::TempStorage);
  int items[4];
  Load(load_storage).Load(in, items);
  Store(store_storage).Store(out, items);
}
template __global__ void block_copy<cub::BLOCK_LOAD_DIRECT, cub::BLOCK_STORE_DIRECT>(const int*, int*);
template __global__ void block_copy<cub::BLOCK_LOAD_VECTORIZE, cub::BLOCK_STORE_VECTORIZE>(const int*, int*);
template __global__ void block_copy<cub::BLOCK_LOAD_TRANSPOSE, cub::BLOCK_STORE_TRANSPOSE>(const int*, int*);
template __global__ void block_copy<cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::BLOCK_STORE_WARP_TRANSPOSE>(const int*, int*);

__global__ void warp_sum(const int* in, int* out) {
  cub::WarpReduce<int>::TempStorage storage;
  const int sum = cub::WarpReduce<int>(storage).Sum(in[threadIdx.x]);
  if (threadIdx.x == 0) out[0] = sum;
}

}  // namespace d2l::emulator::testing
