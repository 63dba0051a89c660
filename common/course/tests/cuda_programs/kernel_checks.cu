// d2l::check_kernels(): reports as text, while the device goes on working.
#include <string>

#include "d2l/d2l.h"
#include "d2l/kernel_checks.h"
#include "d2l/stream.h"
#include "verify.h"

__global__ void fill(float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 1;
}

__global__ void shift(float* out) {
  __shared__ float values[64];
  values[threadIdx.x] = static_cast<float>(threadIdx.x);
  out[threadIdx.x] = values[63 - threadIdx.x];  // no barrier before it
}

int main() {
  float* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, 100 * sizeof(float)) == cudaSuccess);
  REQUIRE(d2l::check_kernels([&] { fill<<<1, 128>>>(memory, 100); }).empty());

  const std::string bounds = d2l::check_kernels([&] { fill<<<1, 128>>>(memory, 101); });
  REQUIRE(bounds.find("out of bounds at kernel_checks.cu:11: kernel fill, block (0, 0, 0), thread (100, 0, 0)") == 0);
  REQUIRE(bounds.find("out[100]") != std::string::npos);

  const std::string race = d2l::check_kernels([&] { shift<<<1, 64>>>(memory); });
  REQUIRE(race.find("race") == 0 || race.find("uninitialised") == 0);

  // Nothing of this was an error of the device, and launches outside are not checked.
  shift<<<1, 64>>>(memory);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);

  // The launches of tensors' streams, and of an inner call, are those of the calls around them.
  d2l::Tensor x = d2l::zeros({1000}, d2l::gpu(0));
  std::string inner;
  const std::string outer = d2l::check_kernels([&] {
    fill<<<4, 256, 0, d2l::stream(x.device())>>>(x.data_ptr<float>(), 1000);
    inner = d2l::check_kernels([&] { fill<<<4, 256, 0, d2l::stream(x.device())>>>(x.data_ptr<float>(), 1001); });
  });
  REQUIRE(outer.empty());
  REQUIRE(inner.find("out[1000]") != std::string::npos);
  REQUIRE(x.sum().item<float>() == 1000);

  // What the work throws is passed on.
  bool passed_on = false;
  try {
    d2l::check_kernels([] { throw d2l::ValueError("of the work"); });
  } catch (const d2l::ValueError&) {
    passed_on = true;
  }
  REQUIRE(passed_on);
  REQUIRE(cudaFree(memory) == cudaSuccess);
  return passed();
}
