// SPDX-License-Identifier: MIT
#include <cuda_bf16.h>

#include "d2l/stream.h"
#include "exercise.h"

using namespace d2l;

/// Copies a table to a GPU, for the kernels that are launched afterwards.
template <class Row>
Tensor to_device(std::vector<Row>& rows, Device device) {
  const auto bytes = static_cast<std::int64_t>(rows.size() * sizeof(Row));
  return from_blob(rows.data(), {bytes}, kUInt8).to(device);
}

/// What a block needs to know: a row of a table.
struct Part {
  float* mean;
  const float* gradient;
  std::int64_t count;
};

__global__ void adamw(const Part* table, float beta1) {
  // TODO: this is m only, and of float32 parameters only.
  const Part part = table[blockIdx.x];
  for (std::int64_t i = threadIdx.x; i < part.count; i += blockDim.x)
    part.mean[i] = beta1 * part.mean[i] + (1 - beta1) * part.gradient[i];
}

void fused_adamw(const std::vector<Parameter>& parameters,
                 const AdamWSettings& settings, std::int64_t /*t*/) {
  std::vector<Part> rows;
  for (const Parameter& p : parameters) {
    // TODO: one block for each tensor is slow if one of them is large.
    if (p.value.dtype() != kFloat || p.value.numel() == 0) continue;
    rows.push_back(
        {p.mean.data_ptr<float>(), p.gradient.data_ptr<float>(), p.value.numel()});
  }
  if (rows.empty()) return;
  const Device device = parameters[0].value.device();
  const Tensor table = to_device(rows, device);
  adamw<<<static_cast<unsigned>(rows.size()), 256, 0, stream(device)>>>(
      reinterpret_cast<const Part*>(table.data_ptr()),
      static_cast<float>(settings.beta1));
}
