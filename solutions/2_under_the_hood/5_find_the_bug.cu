// SPDX-License-Identifier: MIT
// Five kinds of bugs, and what each report led to:
//
// - The kernel reverse_rows was correct, but its launch asked for one byte of shared
//   memory per column instead of one float.
// - smooth reads one element to the right of the last one. In a block that is not full,
//   no thread had written it.
// - count adds up in shared memory with atomics, but then all blocks add to the same
//   words of global memory, and that addition was not atomic. With one block it was
//   correct.
// - In find_largest, lanes without an element returned before the shuffles, which name
//   all 32 lanes. Now such a lane takes part with -infinity, which changes no maximum.
// - scale_rows loads four floats at once, from an address that must be a multiple
//   of 16. The rows of a matrix begin at such addresses only if the number of columns
//   is a multiple of 4. The accesses of single floats are coalesced, too.
#include <cmath>

#include "d2l/stream.h"
#include "exercise.h"

using namespace d2l;

namespace {

constexpr int threads = 128;

__global__ void reverse_rows(const float* x, float* result, int columns) {
  extern __shared__ float row[];
  const int begin = blockIdx.x * columns;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) row[i] = x[begin + i];
  __syncthreads();
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    result[begin + i] = row[columns - 1 - i];
}

__global__ void smooth(const float* x, float* result, int n) {
  __shared__ float tile[threads + 2];
  const int thread = threadIdx.x;
  const int i = blockIdx.x * threads + thread;
  tile[thread + 1] =
      x[min(i, n - 1)];  // beyond the end, too: the last element has a neighbour there
  if (thread == 0) tile[0] = x[max(i - 1, 0)];
  if (thread == threads - 1) tile[threads + 1] = x[min(i + 1, n - 1)];
  __syncthreads();
  if (i < n) result[i] = (tile[thread] + tile[thread + 1] + tile[thread + 2]) / 3;
}

__global__ void count(const std::int64_t* classes, std::int64_t* counts, int n,
                      int bins) {
  __shared__ int of_block[1024];
  for (int bin = threadIdx.x; bin < bins; bin += threads) of_block[bin] = 0;
  __syncthreads();
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads)
    atomicAdd(&of_block[classes[i]], 1);
  __syncthreads();
  for (int bin = threadIdx.x; bin < bins; bin += threads) {
    atomicAdd(reinterpret_cast<unsigned long long*>(&counts[bin]),
              static_cast<unsigned long long>(of_block[bin]));
  }
}

__global__ void find_largest(const float* x, float* result, int columns) {
  float largest = -INFINITY;
  for (int i = threadIdx.x; i < columns; i += 32)
    largest = fmaxf(largest, x[blockIdx.x * columns + i]);
  for (int mask = 16; mask > 0; mask /= 2)
    largest = fmaxf(largest, __shfl_xor_sync(0xffffffff, largest, mask));
  if (threadIdx.x == 0) result[blockIdx.x] = largest;
}

__global__ void scale_rows(const float* x, const float* factors, float* result,
                           int columns) {
  const int begin = blockIdx.x * columns;
  const float factor = factors[blockIdx.x];
  for (int i = threadIdx.x; i < columns; i += threads)
    result[begin + i] = factor * x[begin + i];
}

}  // namespace

Tensor rows_reversed(const Tensor& x) {
  Tensor result = empty(x.sizes(), x.options());
  const int columns = static_cast<int>(x.size(1));
  reverse_rows<<<static_cast<int>(x.size(0)), threads, columns * sizeof(float),
                 stream(x.device())>>>(x.data_ptr<float>(), result.data_ptr<float>(),
                                       columns);
  return result;
}

Tensor smoothed(const Tensor& x) {
  Tensor result = empty(x.sizes(), x.options());
  const int n = static_cast<int>(x.numel());
  smooth<<<(n + threads - 1) / threads, threads, 0, stream(x.device())>>>(
      x.data_ptr<float>(), result.data_ptr<float>(), n);
  return result;
}

Tensor counts_of(const Tensor& classes, std::int64_t bins) {
  Tensor counts = zeros({bins}, classes.options());
  const int n = static_cast<int>(classes.numel());
  count<<<8, threads, 0, stream(classes.device())>>>(classes.data_ptr<std::int64_t>(),
                                                     counts.data_ptr<std::int64_t>(), n,
                                                     static_cast<int>(bins));
  return counts;
}

Tensor largest_of_rows(const Tensor& x) {
  const auto rows = static_cast<int>(x.size(0));
  Tensor result = empty({rows}, x.options());
  find_largest<<<rows, 32, 0, stream(x.device())>>>(
      x.data_ptr<float>(), result.data_ptr<float>(), static_cast<int>(x.size(1)));
  return result;
}

Tensor rows_scaled(const Tensor& x, const Tensor& factors) {
  Tensor result = empty(x.sizes(), x.options());
  scale_rows<<<static_cast<int>(x.size(0)), threads, 0, stream(x.device())>>>(
      x.data_ptr<float>(), factors.data_ptr<float>(), result.data_ptr<float>(),
      static_cast<int>(x.size(1)));
  return result;
}

std::array<Bug, 5> kinds_of_bugs() {
  return {Bug::out_of_bounds, Bug::uninitialised, Bug::race, Bug::divergent,
          Bug::misaligned};
}
