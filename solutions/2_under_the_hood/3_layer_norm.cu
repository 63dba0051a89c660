// SPDX-License-Identifier: MIT
// Rows are reduced by blocks, and stay in registers between the reductions: the
// variance is the mean of (x - mean)², which loses no digits and needs no second read.
// Columns are reduced by threads, which walk down the rows together: their reads are
// coalesced, and no atomics are needed.
#include <algorithm>
#include <cstdint>

#include "d2l/custom_function.h"
#include "d2l/stream.h"
#include "exercise.h"

using namespace d2l;

namespace {

constexpr int max_threads = 256;
constexpr int kept_by_thread = 4;

/// The sum over the block, for all of its threads.
__device__ float sum_block(float value) {
  __shared__ float of_warp[max_threads / 32];
  for (int mask = 16; mask > 0; mask /= 2)
    value += __shfl_xor_sync(0xffffffff, value, mask);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
  __syncthreads();
  value = of_warp[0];
  const int warps = blockDim.x / 32;
  for (int warp = 1; warp < warps; ++warp) value += of_warp[warp];
  __syncthreads();  // the next sum overwrites of_warp
  return value;
}

__global__ void normalise(const float* x, const float* weight, const float* bias,
                          float* result, float* means, float* inverses, int columns,
                          float eps) {
  const auto begin = static_cast<std::int64_t>(blockIdx.x) * columns;
  float kept[kept_by_thread];
  float sum = 0;
#pragma unroll
  for (int k = 0; k < kept_by_thread; ++k) {
    const int i = threadIdx.x + k * blockDim.x;
    kept[k] = i < columns ? x[begin + i] : 0;
    sum += kept[k];
  }
  const float mean = sum_block(sum) / columns;
  float squares = 0;
#pragma unroll
  for (int k = 0; k < kept_by_thread; ++k) {
    const int i = threadIdx.x + k * blockDim.x;
    kept[k] -= mean;
    if (i < columns) squares += kept[k] * kept[k];
  }
  const float inverse = rsqrtf(sum_block(squares) / columns + eps);
#pragma unroll
  for (int k = 0; k < kept_by_thread; ++k) {
    const int i = threadIdx.x + k * blockDim.x;
    if (i < columns) result[begin + i] = kept[k] * inverse * weight[i] + bias[i];
  }
  if (threadIdx.x == 0) {
    means[blockIdx.x] = mean;
    inverses[blockIdx.x] = inverse;
  }
}

__global__ void gradient_of_input(const float* x, const float* weight,
                                  const float* means, const float* inverses,
                                  const float* g, float* result, int columns) {
  const auto begin = static_cast<std::int64_t>(blockIdx.x) * columns;
  const float mean = means[blockIdx.x];
  const float inverse = inverses[blockIdx.x];
  float normal[kept_by_thread];
  float slope[kept_by_thread];
  float slopes = 0;
  float products = 0;
#pragma unroll
  for (int k = 0; k < kept_by_thread; ++k) {
    const int i = threadIdx.x + k * blockDim.x;
    normal[k] = i < columns ? (x[begin + i] - mean) * inverse : 0;
    slope[k] = i < columns ? g[begin + i] * weight[i] : 0;
    slopes += slope[k];
    products += slope[k] * normal[k];
  }
  slopes = sum_block(slopes) / columns;
  products = sum_block(products) / columns;
#pragma unroll
  for (int k = 0; k < kept_by_thread; ++k) {
    const int i = threadIdx.x + k * blockDim.x;
    if (i < columns)
      result[begin + i] = (slope[k] - slopes - normal[k] * products) * inverse;
  }
}

__global__ void gradients_of_parameters(const float* x, const float* means,
                                        const float* inverses, const float* g,
                                        float* of_weight, float* of_bias, int rows,
                                        int columns) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= columns) return;
  float weight = 0;
  float bias = 0;
  for (int row = 0; row < rows; ++row) {
    const auto at = static_cast<std::int64_t>(row) * columns + column;
    const float slope = g[at];
    weight += slope * (x[at] - means[row]) * inverses[row];
    bias += slope;
  }
  of_weight[column] = weight;
  of_bias[column] = bias;
}

/// Whole warps, and no idle ones.
int threads_for(int columns) { return std::min(max_threads, (columns + 31) / 32 * 32); }

struct LayerNorm : autograd::Function<LayerNorm> {
  static Tensor forward(autograd::AutogradContext* ctx, const Tensor& x,
                        const Tensor& weight, const Tensor& bias, double eps) {
    const int rows = static_cast<int>(x.size(0));
    const int columns = static_cast<int>(x.size(1));
    Tensor result = zeros(x.sizes(), x.options());
    const Tensor means = zeros({rows}, x.options());
    const Tensor inverses = zeros({rows}, x.options());
    if (rows > 0) {
      normalise<<<rows, threads_for(columns), 0, stream(x.device())>>>(
          x.data_ptr<float>(), weight.data_ptr<float>(), bias.data_ptr<float>(),
          result.data_ptr<float>(), means.data_ptr<float>(), inverses.data_ptr<float>(),
          columns, static_cast<float>(eps));
    }
    ctx->save_for_backward({x, weight, means, inverses});
    return result;
  }

  static autograd::variable_list backward(autograd::AutogradContext* ctx,
                                          autograd::variable_list grad_outputs) {
    const autograd::variable_list saved = ctx->get_saved_variables();
    const Tensor& x = saved[0];
    const Tensor& weight = saved[1];
    const Tensor& means = saved[2];
    const Tensor& inverses = saved[3];
    const Tensor g = grad_outputs[0].contiguous();
    const int rows = static_cast<int>(x.size(0));
    const int columns = static_cast<int>(x.size(1));
    Tensor of_x;
    Tensor of_weight;
    Tensor of_bias;
    if (ctx->needs_input_grad(0)) {
      of_x = zeros(x.sizes(), g.options());
      if (rows > 0) {
        gradient_of_input<<<rows, threads_for(columns), 0, stream(x.device())>>>(
            x.data_ptr<float>(), weight.data_ptr<float>(), means.data_ptr<float>(),
            inverses.data_ptr<float>(), g.data_ptr<float>(), of_x.data_ptr<float>(),
            columns);
      }
    }
    if (ctx->needs_input_grad(1) || ctx->needs_input_grad(2)) {
      of_weight = zeros({columns}, g.options());
      of_bias = zeros({columns}, g.options());
      gradients_of_parameters<<<(columns + 127) / 128, 128, 0, stream(x.device())>>>(
          x.data_ptr<float>(), means.data_ptr<float>(), inverses.data_ptr<float>(),
          g.data_ptr<float>(), of_weight.data_ptr<float>(), of_bias.data_ptr<float>(),
          rows, columns);
    }
    return {of_x, of_weight, of_bias, Tensor()};
  }
};

}  // namespace

Tensor layer_norm(const Tensor& x, const Tensor& weight, const Tensor& bias,
                  double eps) {
  return LayerNorm::apply(x, weight, bias, eps);
}
