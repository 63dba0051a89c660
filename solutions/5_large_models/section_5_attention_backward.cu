// SPDX-License-Identifier: MIT
// Three kernels, as in FlashAttention-2. The first computes D, one number for each
// query. In the second a block owns 32 queries, goes over the keys and values in tiles
// of 32, and adds up the gradient of its queries. In the third a block owns 32 keys and
// their values, and goes over the queries. So each gradient is added up by one block,
// in registers, and no atomic operation is needed. The price is that the weights are
// computed twice: 7 products of tiles in place of 5.
//
// A tile of weights exists in shared memory only. It needs no running maximum: the
// log-sum-exp of a row is known, so a weight is one power, at most 1.
//
// In both kernels a warp has the rows of the owned tile, and a lane has a row of the
// other tile while weights are computed, and a column afterwards. Lanes read down a
// column of the other tile, so its rows have 33 elements.
//
// A causal query sees no key after itself. The second kernel ends with the tile of its
// own rows, the third begins with it, and in this tile single pairs are left out.
#include "d2l/stream.h"
#include "exercise.h"

using namespace d2l;

constexpr int width = 32;  // columns, and rows of a tile
constexpr int warps = 8;   // of a block
constexpr int each = width / warps;
using Tile = float[width][width + 1];

/// Loads up to 32 rows of a matrix.
__device__ void load(Tile& tile, const float* matrix, int begin, int count) {
  for (int row = threadIdx.y; row < count; row += warps)
    tile[row][threadIdx.x] = matrix[(begin + row) * width + threadIdx.x];
}

__device__ float dot(const float* a, const float* b) {
  float sum = 0;
  for (int c = 0; c < width; ++c) sum += a[c] * b[c];
  return sum;
}

/// D: one warp for each query.
__global__ void dot_of_rows(const float* dout, const float* out, float* delta, int n) {
  const int query = blockIdx.x * warps + threadIdx.y;
  if (query >= n) return;
  const int at = query * width + threadIdx.x;
  float sum = dout[at] * out[at];
  for (int step = 16; step > 0; step /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, step);
  if (threadIdx.x == 0) delta[query] = sum;
}

__global__ void backward_of_queries(const float* dout, const float* q, const float* k,
                                    const float* v, const float* lse,
                                    const float* delta, float* dq, int n, int m,
                                    bool causal) {
  __shared__ Tile gradients, queries, keys, values;
  __shared__ Tile dscores;  // a row for each query, a column for each key
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int first = blockIdx.x * width;
  const int own = min(width, n - first);
  load(gradients, dout, first, own);
  load(queries, q, first, own);
  float sums[each] = {};
  const int end = causal ? first + own : m;
  for (int begin = 0; begin < end; begin += width) {
    const int count = min(width, m - begin);
    load(keys, k, begin, count);
    load(values, v, begin, count);
    __syncthreads();
    for (int row = y; row < own; row += warps) {
      const int query = first + row;
      float dscore = 0;
      if (x < count && (!causal || begin + x <= query)) {
        const float score = dot(queries[row], keys[x]) * rsqrtf(width);
        const float weight = expf(score - lse[query]);
        dscore = weight * (dot(gradients[row], values[x]) - delta[query]);
      }
      dscores[row][x] = dscore;
    }
    __syncthreads();
    for (int i = 0; i < each; ++i) {
      const int row = y + i * warps;
      if (row >= own) break;
      for (int key = 0; key < count; ++key) sums[i] += dscores[row][key] * keys[key][x];
    }
    __syncthreads();  // the next tile overwrites this one
  }
  for (int i = 0; i < each; ++i) {
    const int row = y + i * warps;
    if (row < own) dq[(first + row) * width + x] = sums[i] * rsqrtf(width);
  }
}

__global__ void backward_of_keys(const float* dout, const float* q, const float* k,
                                 const float* v, const float* lse, const float* delta,
                                 float* dk, float* dv, int n, int m, bool causal) {
  __shared__ Tile gradients, queries, keys, values;
  __shared__ Tile weights, dscores;  // a row for each key, a column for each query
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int first = blockIdx.x * width;
  const int own = min(width, m - first);
  load(keys, k, first, own);
  load(values, v, first, own);
  float dk_sums[each] = {};
  float dv_sums[each] = {};
  for (int begin = causal ? first : 0; begin < n; begin += width) {
    const int count = min(width, n - begin);
    load(gradients, dout, begin, count);
    load(queries, q, begin, count);
    const float of_lse = x < count ? lse[begin + x] : 0;
    const float of_delta = x < count ? delta[begin + x] : 0;
    __syncthreads();
    for (int row = y; row < own; row += warps) {
      float weight = 0;
      float dscore = 0;
      if (x < count && (!causal || first + row <= begin + x)) {
        const float score = dot(queries[x], keys[row]) * rsqrtf(width);
        weight = expf(score - of_lse);
        dscore = weight * (dot(gradients[x], values[row]) - of_delta);
      }
      weights[row][x] = weight;
      dscores[row][x] = dscore;
    }
    __syncthreads();
    for (int i = 0; i < each; ++i) {
      const int row = y + i * warps;
      if (row >= own) break;
      for (int query = 0; query < count; ++query) {
        dk_sums[i] += dscores[row][query] * queries[query][x];
        dv_sums[i] += weights[row][query] * gradients[query][x];
      }
    }
    __syncthreads();  // the next tile overwrites this one
  }
  for (int i = 0; i < each; ++i) {
    const int row = y + i * warps;
    if (row >= own) break;
    dk[(first + row) * width + x] = dk_sums[i] * rsqrtf(width);
    dv[(first + row) * width + x] = dv_sums[i];
  }
}

Gradients attention_backward(const Tensor& dout, const Tensor& q, const Tensor& k,
                             const Tensor& v, const Tensor& out, const Tensor& lse,
                             bool causal) {
  const int n = static_cast<int>(q.size(0));
  const int m = static_cast<int>(k.size(0));
  if (n == 0) return {empty_like(q), zeros_like(k), zeros_like(v)};
  Gradients result{empty_like(q), empty_like(k), empty_like(v)};
  Tensor delta = empty_like(lse);
  const auto* const of_out = dout.data_ptr<float>();
  const dim3 threads(width, warps);
  const cudaStream_t on = stream(q.device());
  dot_of_rows<<<(n + warps - 1) / warps, threads, 0, on>>>(
      of_out, out.data_ptr<float>(), delta.data_ptr<float>(), n);
  backward_of_queries<<<(n + width - 1) / width, threads, 0, on>>>(
      of_out, q.data_ptr<float>(), k.data_ptr<float>(), v.data_ptr<float>(),
      lse.data_ptr<float>(), delta.data_ptr<float>(), result.dq.data_ptr<float>(), n, m,
      causal);
  backward_of_keys<<<(m + width - 1) / width, threads, 0, on>>>(
      of_out, q.data_ptr<float>(), k.data_ptr<float>(), v.data_ptr<float>(),
      lse.data_ptr<float>(), delta.data_ptr<float>(), result.dk.data_ptr<float>(),
      result.dv.data_ptr<float>(), n, m, causal);
  return result;
}
