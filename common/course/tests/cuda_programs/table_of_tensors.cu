// SPDX-License-Identifier: MIT
// A kernel gets tensors by a table of their addresses, which is a tensor itself. Another tensor, whose address stands
// nowhere, is not the kernel's.
#include <iostream>
#include <string>
#include <vector>

#include "d2l/d2l.h"
#include "d2l/stream.h"

__global__ void add_one(float* const* table, int n, int beyond) {
  float* const x = table[blockIdx.x];
  if (static_cast<int>(threadIdx.x) < n) x[threadIdx.x + beyond] += 1;
}

int main(int argc, char**) {
  const d2l::Device device = d2l::gpu(0);
  constexpr int n = 20;
  std::vector<d2l::Tensor> tensors;
  std::vector<float*> addresses;
  for (int i = 0; i < 50; ++i) {
    tensors.push_back(d2l::ones({n + i}, device) * i);
    addresses.push_back(tensors.back().data_ptr<float>());
  }
  const d2l::Tensor other = d2l::zeros({1000}, device);
  const int beyond = argc < 2 ? 0 : static_cast<int>(other.data_ptr<float>() - addresses[0]);
  const auto bytes = static_cast<std::int64_t>(addresses.size() * sizeof(float*));
  const d2l::Tensor table = d2l::from_blob(addresses.data(), {bytes}, d2l::kUInt8).to(device);
  add_one<<<50, 32, 0, d2l::stream(device)>>>(reinterpret_cast<float* const*>(table.data_ptr()), n, beyond);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  for (int i = 0; i < 50; ++i) {
    const float sum = tensors[static_cast<std::size_t>(i)].sum().item<float>();
    if (sum != static_cast<float>(i * (n + i) + n)) {
      std::cout << "FAILED: tensor " << i << " has the sum " << sum << '\n';
      return 1;
    }
  }
  std::cout << "PASSED\n";
  return 0;
}
