// SPDX-License-Identifier: MIT
// Kernels on the memory of tensors, in order with the operations of tensors, in one ledger.
#include <d2l/d2l.h>
#include <d2l/stream.h>

#include <string>

#include "verify.h"

__global__ void scale(float* x, int n, float factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= factor;
}

int main() {
  constexpr int n = 1000;
  const int last = d2l::num_gpus() - 1;
  const cudaStream_t stream = d2l::stream(d2l::gpu(last));
  const d2l::TransferLedger ledger;
  for (int round = 0; round < 20; ++round) {
    d2l::Tensor x = d2l::full({n}, 1.0, d2l::gpu(last));
    x = x + 1.0;                                                            // 2
    scale<<<(n + 255) / 256, 256, 0, stream>>>(x.data_ptr<float>(), n, 3);  // 6
    d2l::Tensor y = x + 4.0;                                                // 10
    scale<<<(n + 255) / 256, 256, 0, stream>>>(y.data_ptr<float>(), n, 2);  // 20
    REQUIRE(cudaGetLastError() == cudaSuccess);
    REQUIRE(y.sum().item<float>() == 20.0f * n);
    REQUIRE(x.sum().item<float>() == 6.0f * n);
  }
  int launches = 0;
  for (const d2l::LedgerEntry& entry : ledger.entries()) {
    if (!entry.kernel) continue;
    ++launches;
    REQUIRE(entry.name == "scale" && entry.queue == d2l::gpu(last));
    REQUIRE(entry.kernel->grid[0] == 4 && entry.kernel->block[0] == 256);
    REQUIRE(entry.kernel->counted && entry.kernel->counts.threads == 1024);
    REQUIRE(entry.ended >= entry.began && entry.began >= entry.issued);
  }
  REQUIRE(launches == 40);
  std::fputs(d2l::kernel_report(ledger).c_str(), stdout);
  bool refused = false;
  try {
    d2l::stream(d2l::Device(d2l::kCPU));
  } catch (const d2l::DeviceError&) {
    refused = true;
  }
  REQUIRE(refused);
  return passed();
}
