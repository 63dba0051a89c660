// SPDX-License-Identifier: MIT
// All tensors are cut into chunks of at most 4096 elements, and each chunk is the work
// of one block. The host makes a table with a row for each chunk: where its part of
// each array begins, and how many elements it has. So a block needs one row, and no
// search for its tensor. A large tensor has many blocks, a small one has one, and an
// empty one has none.
//
// A chunk is this large so that the table costs little: each warp of a block reads the
// row of 48 bytes, and the chunk has 64 KiB of gradients, averages and parameters.
//
// An element is read into registers, updated there and written back: each array is read
// and written once. The decay, the averages and the step in separate kernels would read
// and write the parameters and the averages several times.
//
// What depends on t is the same for all elements, and is computed on the host in double
// precision. In float32, 1 − 0.999 would have four correct digits.
#include <cuda_bf16.h>

#include <algorithm>
#include <cmath>

#include "d2l/stream.h"
#include "exercise.h"

using namespace d2l;

constexpr int threads = 256;
constexpr std::int64_t chunk_size = 4096;

/// The part of each array that a block updates.
struct Chunk {
  void* value;
  const void* gradient;
  float* mean;
  float* square;
  float* master;  // null if the parameter is float32
  std::int64_t count;
};

/// What is the same for all elements in a step.
struct Factors {
  float beta1, of_gradient;  // of_gradient is 1 − β₁
  float beta2, of_square;
  float kept;  // 1 − lr · λ
  float step;  // lr / (1 − β₁ᵗ)
  float root;  // 1 / √(1 − β₂ᵗ)
  float eps;
};

__global__ void adamw(const Chunk* chunks, Factors factors) {
  const Chunk chunk = chunks[blockIdx.x];
  const bool sixteen_bits = chunk.master != nullptr;
  auto* const value = static_cast<float*>(chunk.value);
  auto* const rounded = static_cast<__nv_bfloat16*>(chunk.value);
  const auto* const gradient = static_cast<const float*>(chunk.gradient);
  const auto* const short_gradient = static_cast<const __nv_bfloat16*>(chunk.gradient);
  float* const parameter = sixteen_bits ? chunk.master : value;
  for (int i = static_cast<int>(threadIdx.x); i < chunk.count; i += threads) {
    const float g = sixteen_bits ? __bfloat162float(short_gradient[i]) : gradient[i];
    const float m = factors.beta1 * chunk.mean[i] + factors.of_gradient * g;
    const float v = factors.beta2 * chunk.square[i] + factors.of_square * g * g;
    const float size = sqrtf(v) * factors.root + factors.eps;
    const float p = factors.kept * parameter[i] - factors.step * m / size;
    chunk.mean[i] = m;
    chunk.square[i] = v;
    parameter[i] = p;
    if (sixteen_bits) rounded[i] = __float2bfloat16(p);
  }
}

/// The address of an element of a tensor.
template <class T>
T* address(const Tensor& tensor, std::int64_t at) {
  return static_cast<T*>(tensor.data_ptr()) + at;
}

Chunk chunk_of(const Parameter& p, std::int64_t begin) {
  Chunk chunk{};
  if (p.value.dtype() == kFloat) {
    chunk.value = address<float>(p.value, begin);
    chunk.gradient = address<float>(p.gradient, begin);
  } else {
    chunk.value = address<BFloat16>(p.value, begin);
    chunk.gradient = address<BFloat16>(p.gradient, begin);
    chunk.master = address<float>(p.master, begin);
  }
  chunk.mean = address<float>(p.mean, begin);
  chunk.square = address<float>(p.square, begin);
  chunk.count = std::min(chunk_size, p.value.numel() - begin);
  return chunk;
}

Factors factors_of(const AdamWSettings& s, std::int64_t t) {
  const auto power = static_cast<double>(t);
  const auto number = [](double value) { return static_cast<float>(value); };
  return {.beta1 = number(s.beta1),
          .of_gradient = number(1 - s.beta1),
          .beta2 = number(s.beta2),
          .of_square = number(1 - s.beta2),
          .kept = number(1 - s.lr * s.weight_decay),
          .step = number(s.lr / (1 - std::pow(s.beta1, power))),
          .root = number(1 / std::sqrt(1 - std::pow(s.beta2, power))),
          .eps = number(s.eps)};
}

void fused_adamw(const std::vector<Parameter>& parameters,
                 const AdamWSettings& settings, std::int64_t t) {
  std::vector<Chunk> chunks;
  for (const Parameter& p : parameters) {
    for (std::int64_t begin = 0; begin < p.value.numel(); begin += chunk_size)
      chunks.push_back(chunk_of(p, begin));
  }
  if (chunks.empty()) return;
  const Device device = parameters[0].value.device();
  const auto bytes = static_cast<std::int64_t>(chunks.size() * sizeof(Chunk));
  const Tensor table = from_blob(chunks.data(), {bytes}, kUInt8).to(device);
  adamw<<<static_cast<unsigned>(chunks.size()), threads, 0, stream(device)>>>(
      reinterpret_cast<const Chunk*>(table.data_ptr<std::uint8_t>()),
      factors_of(settings, t));
}
