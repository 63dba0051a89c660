// SPDX-License-Identifier: MIT
// Three kernels: one for the result, two for the gradients. In each, a block owns 32
// rows of a head. It keeps them in shared memory, and goes over the rows of the other
// matrices in tiles of 8: two tiles of 32 rows of 128 columns are 33 KiB, so two more
// of 32 would not fit into 48 KiB. How often a row is loaded depends on the owned rows
// only.
//
// A warp has four of the owned rows. For the scores, eight lanes share an owned row,
// and each of them has one row of the passing tile. So what a row needs, its maximum,
// its sum and D, is in the registers of eight neighbouring lanes. The weights go to
// shared memory, to rows that only this warp uses. For the sums, the lanes divide the
// columns of the four rows, four neighbouring columns at a time.
//
// The gradients are as in FlashAttention-2. One kernel owns queries: it adds up dQ,
// and computes D on the way. The other one owns keys, goes over the queries of all
// heads of the group, and adds up dK and dV. So each number is added up by one thread,
// in one order: no atomic operations, and the same bits in each call.
//
// All accesses to rows are to four numbers at once. A row of a tile has four more, so
// that the rows of eight lanes begin in different banks.
#include "d2l/stream.h"
#include "exercise.h"

using namespace d2l;

constexpr int own = 32;      // rows of a block
constexpr int step = 8;      // rows of the tiles that pass
constexpr int per_warp = 4;  // owned rows of a warp
constexpr int threads = own / per_warp * 32;
constexpr unsigned warp = 0xffffffff;  // all lanes

template <int d>
using Row = float4[d / 4 + 1];
using Weights = float[own][step + 1];

/// The rows from `first` on, with zeros after the last of n.
template <int d>
__device__ void load(Row<d>* tile, int rows, const float4* matrix, int first, int n) {
  for (int i = static_cast<int>(threadIdx.x); i < rows * (d / 4); i += threads) {
    const int row = i / (d / 4);
    float4 four{};
    if (first + row < n) four = matrix[first * (d / 4) + i];
    tile[row][i % (d / 4)] = four;
  }
}

__device__ float dot(float4 a, float4 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

template <int d>
__device__ float dot(const Row<d>& a, const Row<d>& b) {
  float sum = 0;
  for (int i = 0; i < d / 4; ++i) sum += dot(a[i], b[i]);
  return sum;
}

/// The sum over the eight lanes that share a row.
__device__ float sum_of_eight(float value) {
  for (int by = 4; by > 0; by /= 2) value += __shfl_xor_sync(warp, value, by);
  return value;
}

__device__ float max_of_eight(float value) {
  for (int by = 4; by > 0; by /= 2)
    value = fmaxf(value, __shfl_xor_sync(warp, value, by));
  return value;
}

/// The place of a thread in its block.
struct Place {
  int lane = static_cast<int>(threadIdx.x) % 32;
  int begin = static_cast<int>(threadIdx.x) / 32 * per_warp;  // the first of its warp
  int row = begin + lane / step;                              // the owned row
  int other = lane % step;                                    // the row that passes
};

/// The sums of a warp's four rows. A lane has every 32nd group of four columns.
template <int d>
struct Sums {
  Place at;
  float4 of[d / 32] = {};

  __device__ int row(int i) const { return (at.lane + 32 * i) / (d / 4); }
  __device__ int column(int i) const { return (at.lane + 32 * i) % (d / 4); }

  /// Multiplies each row by a value that the eight lanes of the row have.
  __device__ void scale(float value) {
    for (int i = 0; i < d / 32; ++i) {
      const float factor = __shfl_sync(warp, value, row(i) * step);
      of[i].x *= factor;
      of[i].y *= factor;
      of[i].z *= factor;
      of[i].w *= factor;
    }
  }

  /// Adds the rows of a tile, weighted.
  __device__ void add(const Weights& weights, const Row<d>* tile) {
    for (int i = 0; i < d / 32; ++i) {
      float4 sum = of[i];
      for (int j = 0; j < step; ++j) {
        const float weight = weights[at.begin + row(i)][j];
        const float4 four = tile[j][column(i)];
        sum.x += weight * four.x;
        sum.y += weight * four.y;
        sum.z += weight * four.z;
        sum.w += weight * four.w;
      }
      of[i] = sum;
    }
  }

  __device__ void store(float4* matrix, int first, int n) const {
    for (int i = 0; i < d / 32; ++i) {
      const int to = first + at.begin + row(i);
      if (to < n) matrix[to * (d / 4) + column(i)] = of[i];
    }
  }
};

/// The matrix of a head, or its row of numbers.
template <int d>
__device__ auto* of_head(auto* all, int head, int n) {
  return all + static_cast<std::int64_t>(head) * n * d;
}

template <int d>
__global__ void attend(const float4* q, const float4* k, const float4* v, float4* out,
                       float* lse, int n, int group, bool causal) {
  __shared__ Row<d> queries[own];
  __shared__ Row<d> keys[step], values[step];
  __shared__ Weights weights;
  const Place at;
  const int head = static_cast<int>(blockIdx.y);
  const int first = static_cast<int>(blockIdx.x) * own;
  const int query = first + at.row;
  load<d>(queries, own, of_head<d / 4>(q, head, n), first, n);
  Sums<d> sums;
  float max = -INFINITY;
  float total = 0;  // of the keys of this lane
  const int end = causal ? min(first + own, n) : n;
  for (int begin = 0; begin < end; begin += step) {
    __syncthreads();  // all warps have used the tile before
    load<d>(keys, step, of_head<d / 4>(k, head / group, n), begin, n);
    load<d>(values, step, of_head<d / 4>(v, head / group, n), begin, n);
    __syncthreads();
    const int key = begin + at.other;
    float score = -INFINITY;
    if (key < n && (!causal || key <= query))
      score = dot<d>(queries[at.row], keys[at.other]) * rsqrtf(d);
    const float new_max = fmaxf(max, max_of_eight(score));
    const float shrink = expf(max - new_max);
    const float weight = expf(score - new_max);
    max = new_max;
    total = total * shrink + weight;
    sums.scale(shrink);
    weights[at.row][at.other] = weight;
    __syncwarp();
    sums.add(weights, values);
  }
  total = sum_of_eight(total);
  sums.scale(1 / total);
  sums.store(of_head<d / 4>(out, head, n), first, n);
  if (query < n && at.other == 0) of_head<1>(lse, head, n)[query] = max + logf(total);
}

/// What both kernels of the backward pass read.
struct Given {
  const float4 *dout, *q, *k, *v, *out;
  const float* lse;
};

template <int d>
__global__ void backward_of_queries(Given given, float* delta, float4* dq, int n,
                                    int group, bool causal) {
  __shared__ Row<d> queries[own], gradients[own];
  __shared__ Row<d> keys[step], values[step];
  __shared__ Weights dscores;
  const Place at;
  const int head = static_cast<int>(blockIdx.y);
  const int first = static_cast<int>(blockIdx.x) * own;
  const int query = first + at.row;
  load<d>(queries, own, of_head<d / 4>(given.q, head, n), first, n);
  load<d>(gradients, own, of_head<d / 4>(given.dout, head, n), first, n);
  __syncthreads();
  float of_lse = 0;
  float of_delta = 0;
  if (query < n) {
    of_lse = of_head<1>(given.lse, head, n)[query];
    const float4* const result = of_head<d / 4>(given.out, head, n) + query * (d / 4);
    for (int i = at.other; i < d / 4; i += step)
      of_delta += dot(gradients[at.row][i], result[i]);
  }
  of_delta = sum_of_eight(of_delta);
  if (query < n && at.other == 0) of_head<1>(delta, head, n)[query] = of_delta;
  Sums<d> sums;
  const int end = causal ? min(first + own, n) : n;
  for (int begin = 0; begin < end; begin += step) {
    __syncthreads();  // all warps have used the tile before
    load<d>(keys, step, of_head<d / 4>(given.k, head / group, n), begin, n);
    load<d>(values, step, of_head<d / 4>(given.v, head / group, n), begin, n);
    __syncthreads();
    const int key = begin + at.other;
    float dscore = 0;
    if (key < n && (!causal || key <= query)) {
      const float score = dot<d>(queries[at.row], keys[at.other]) * rsqrtf(d);
      const float dweight = dot<d>(gradients[at.row], values[at.other]);
      dscore = expf(score - of_lse) * (dweight - of_delta);
    }
    dscores[at.row][at.other] = dscore;
    __syncwarp();
    sums.add(dscores, keys);
  }
  sums.scale(rsqrtf(d));
  sums.store(of_head<d / 4>(dq, head, n), first, n);
}

template <int d>
__global__ void backward_of_keys(Given given, const float* delta, float4* dk,
                                 float4* dv, int n, int group, bool causal) {
  __shared__ Row<d> keys[own], values[own];
  __shared__ Row<d> queries[step], gradients[step];
  __shared__ Weights weights, dscores;  // a row for each key, a column for each query
  const Place at;
  const int of_group = static_cast<int>(blockIdx.y);
  const int first = static_cast<int>(blockIdx.x) * own;
  const int key = first + at.row;
  load<d>(keys, own, of_head<d / 4>(given.k, of_group, n), first, n);
  load<d>(values, own, of_head<d / 4>(given.v, of_group, n), first, n);
  Sums<d> dk_sums, dv_sums;
  for (int head = of_group * group; head < (of_group + 1) * group; ++head) {
    for (int begin = causal ? first : 0; begin < n; begin += step) {
      __syncthreads();  // all warps have used the tile before
      load<d>(queries, step, of_head<d / 4>(given.q, head, n), begin, n);
      load<d>(gradients, step, of_head<d / 4>(given.dout, head, n), begin, n);
      __syncthreads();
      const int query = begin + at.other;
      float weight = 0;
      float dscore = 0;
      if (query < n && (!causal || key <= query)) {
        const float score = dot<d>(queries[at.other], keys[at.row]) * rsqrtf(d);
        const float dweight = dot<d>(gradients[at.other], values[at.row]);
        weight = expf(score - of_head<1>(given.lse, head, n)[query]);
        dscore = weight * (dweight - of_head<1>(delta, head, n)[query]);
      }
      weights[at.row][at.other] = weight;
      dscores[at.row][at.other] = dscore;
      __syncwarp();
      dk_sums.add(dscores, queries);
      dv_sums.add(weights, gradients);
    }
  }
  dk_sums.scale(rsqrtf(d));
  dk_sums.store(of_head<d / 4>(dk, of_group, n), first, n);
  dv_sums.store(of_head<d / 4>(dv, of_group, n), first, n);
}

/// Calls `work` with the head size as a constant.
template <class Work>
void with_constant(std::int64_t d, const Work& work) {
  if (d == 32) work(std::integral_constant<int, 32>());
  if (d == 64) work(std::integral_constant<int, 64>());
  if (d == 96) work(std::integral_constant<int, 96>());
  if (d == 128) work(std::integral_constant<int, 128>());
}

/// A block for 32 rows of each head.
dim3 blocks_for(const Tensor& heads) {
  return {static_cast<unsigned>((heads.size(1) + own - 1) / own),
          static_cast<unsigned>(heads.size(0))};
}

float4* fours(const Tensor& tensor) { return static_cast<float4*>(tensor.data_ptr()); }

Attended flash_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                         bool causal) {
  Attended result{empty_like(q), empty({q.size(0), q.size(1)}, q.options())};
  const int n = static_cast<int>(q.size(1));
  const int group = static_cast<int>(q.size(0) / k.size(0));
  with_constant(q.size(2), [&](auto d) {
    attend<d><<<blocks_for(q), threads, 0, stream(q.device())>>>(
        fours(q), fours(k), fours(v), fours(result.out), result.lse.data_ptr<float>(),
        n, group, causal);
  });
  return result;
}

AttentionGradients flash_attention_backward(const Tensor& dout, const Tensor& q,
                                            const Tensor& k, const Tensor& v,
                                            const Tensor& out, const Tensor& lse,
                                            bool causal) {
  AttentionGradients result{empty_like(q), empty_like(k), empty_like(v)};
  const Tensor delta = empty_like(lse);
  const Given given{fours(dout), fours(q),   fours(k),
                    fours(v),    fours(out), lse.data_ptr<float>()};
  const int n = static_cast<int>(q.size(1));
  const int group = static_cast<int>(q.size(0) / k.size(0));
  const cudaStream_t on = stream(q.device());
  with_constant(q.size(2), [&](auto d) {
    backward_of_queries<d><<<blocks_for(q), threads, 0, on>>>(
        given, delta.data_ptr<float>(), fours(result.dq), n, group, causal);
    backward_of_keys<d><<<blocks_for(k), threads, 0, on>>>(
        given, delta.data_ptr<float>(), fours(result.dk), fours(result.dv), n, group,
        causal);
  });
  return result;
}
