// SPDX-License-Identifier: MIT
#include "d2l/stream.h"
#include "exercise.h"

using namespace d2l;

constexpr int rows = 32;     // of the queries of a block
constexpr int threads = 32;  // one for each of them

/// The result and the log-sum-exp for a head of 32 columns, without a mask.
__global__ void attend(const float* q, const float* k, const float* v, float* out,
                       float* lse, int n) {
  constexpr int d = 32;
  const int head = static_cast<int>(blockIdx.y);
  const int query = static_cast<int>(blockIdx.x * rows + threadIdx.x);
  if (query >= n) return;
  // TODO: groups of heads that share keys and values; the mask; other head sizes.
  const std::int64_t at = static_cast<std::int64_t>(head) * n * d;
  float max = -INFINITY;
  float total = 0;
  float sum[d] = {};
  // TODO: each thread loads each key and value by itself: load tiles for the block.
  for (int key = 0; key < n; ++key) {
    float score = 0;
    for (int c = 0; c < d; ++c) score += q[at + query * d + c] * k[at + key * d + c];
    score *= rsqrtf(d);
    const float new_max = fmaxf(max, score);
    const float shrink = expf(max - new_max);
    const float power = expf(score - new_max);
    total = total * shrink + power;
    for (int c = 0; c < d; ++c) sum[c] = sum[c] * shrink + power * v[at + key * d + c];
    max = new_max;
  }
  for (int c = 0; c < d; ++c) out[at + query * d + c] = sum[c] / total;
  lse[static_cast<std::int64_t>(head) * n + query] = max + logf(total);
}

Attended flash_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                         bool /*causal*/) {
  Attended result{zeros_like(q), zeros({q.size(0), q.size(1)}, q.options())};
  if (q.size(0) != k.size(0) || q.size(2) != 32) return result;
  const int n = static_cast<int>(q.size(1));
  const dim3 blocks(static_cast<unsigned>((n + rows - 1) / rows),
                    static_cast<unsigned>(q.size(0)));
  attend<<<blocks, threads, 0, stream(q.device())>>>(
      q.data_ptr<float>(), k.data_ptr<float>(), v.data_ptr<float>(),
      result.out.data_ptr<float>(), result.lse.data_ptr<float>(), n);
  return result;
}

AttentionGradients flash_attention_backward(const Tensor& /*dout*/, const Tensor& q,
                                            const Tensor& k, const Tensor& v,
                                            const Tensor& /*out*/,
                                            const Tensor& /*lse*/, bool /*causal*/) {
  // TODO: kernels that go over tiles of the other matrices.
  return {zeros_like(q), zeros_like(k), zeros_like(v)};
}
