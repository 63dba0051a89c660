// SPDX-License-Identifier: MIT
#include "d2l/stream.h"
#include "exercise.h"

using namespace d2l;

// TODO: this takes one column. Called four times, it would be four launches, and fetch
// the matrix four times.
__global__ void take_column(const float* particles, float* column, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) column[i] = particles[4 * i];
}

Particles take_apart(const Tensor& particles) {
  const int n = static_cast<int>(particles.size(0));
  Particles result{zeros({n}, particles.options()), zeros({n}, particles.options()),
                   zeros({n}, particles.options()), zeros({n}, particles.options())};
  if (n == 0) return result;
  take_column<<<(n + 255) / 256, 256, 0, stream(particles.device())>>>(
      particles.data_ptr<float>(), result.x.data_ptr<float>(), n);
  return result;
}
