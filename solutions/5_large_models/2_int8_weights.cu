// SPDX-License-Identifier: MIT
// A warp has one row of the weights, and a block eight. Lane j loads the weights j,
// j + 32, … of the row: neighbouring bytes, so 32 weights are one sector. It multiplies
// each by the numbers of up to eight rows of x, which the block has copied to shared
// memory, and keeps eight sums in registers. So a weight is loaded once, and becomes a
// float only in a register. Loads of four weights at once would make a quarter of the
// requests, but rows begin at any byte if m is no multiple of 4.
//
// The scale is the same for a whole row, so one multiplication at the end is enough.
//
// A row of zeros would be divided by 0. Its scale is 1 instead.
#include <tuple>

#include "d2l/stream.h"
#include "exercise.h"

using namespace d2l;

constexpr int warps = 8;  // of a block
constexpr int batch = 8;  // rows of x
constexpr int width = 256;

Quantized quantize_rows(const Tensor& weight) {
  const Tensor largest = std::get<0>(weight.abs().max(1));
  const Tensor scales = where(largest > 0, largest / 127, 1.0);
  const Tensor rounded = (weight / scales.unsqueeze(1)).round();
  // The bits of a negative number are those of itself plus 256.
  const Tensor values = where(rounded < 0, rounded + 256, rounded).to(kByte);
  return {values, scales};
}

__global__ void multiply(const float* x, const std::int8_t* values, const float* scales,
                         float* y, int b, int n, int m) {
  __shared__ float tile[batch][width];
  const int lane = static_cast<int>(threadIdx.x);
  const int warp = static_cast<int>(threadIdx.y);
  const int row = static_cast<int>(blockIdx.x) * warps + warp;
  const int first = static_cast<int>(blockIdx.y) * batch;
  const int count = min(batch, b - first);
  const std::int8_t* const weights = values + static_cast<std::int64_t>(row) * m;
  float sums[batch] = {};
  for (int begin = 0; begin < m; begin += width) {
    const int end = min(width, m - begin);
    if (warp < count) {
      const float* const of_x = x + static_cast<std::int64_t>(first + warp) * m + begin;
      for (int j = lane; j < end; j += 32) tile[warp][j] = of_x[j];
    }
    __syncthreads();
    if (row < n) {
      for (int j = lane; j < end; j += 32) {
        const auto weight = static_cast<float>(weights[begin + j]);
        for (int k = 0; k < count; ++k) sums[k] += tile[k][j] * weight;
      }
    }
    __syncthreads();  // the next tile overwrites this one
  }
  const float scale = row < n ? scales[row] : 0;
  for (int k = 0; k < count; ++k) {
    float sum = sums[k];
    for (int mask = 16; mask > 0; mask /= 2)
      sum += __shfl_xor_sync(0xffffffff, sum, mask);
    if (lane == 0 && row < n)
      y[static_cast<std::int64_t>(first + k) * n + row] = sum * scale;
  }
}

Tensor int8_linear(const Tensor& x, const Quantized& weight) {
  const int b = static_cast<int>(x.size(0));
  const int n = static_cast<int>(weight.values.size(0));
  const int m = static_cast<int>(weight.values.size(1));
  Tensor y = empty({b, n}, x.options());
  if (b == 0) return y;
  const dim3 blocks((n + warps - 1) / warps, (b + batch - 1) / batch);
  multiply<<<blocks, dim3(32, warps), 0, stream(x.device())>>>(
      x.data_ptr<float>(),
      reinterpret_cast<const std::int8_t*>(weight.values.data_ptr<std::uint8_t>()),
      weight.scales.data_ptr<float>(), y.data_ptr<float>(), b, n, m);
  return y;
}
