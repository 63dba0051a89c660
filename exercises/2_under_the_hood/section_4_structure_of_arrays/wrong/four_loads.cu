// SPDX-License-Identifier: MIT
// Each thread loads the four floats of its particle one by one: each of the four requests touches all sectors.
// Fails: loads: sectors loaded
#include "d2l/stream.h"
#include "exercise.h"

using namespace d2l;

__global__ void take_rows_apart(const float* particles, float* x, float* y, float* z, float* mass, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  x[i] = particles[4 * i];
  y[i] = particles[4 * i + 1];
  z[i] = particles[4 * i + 2];
  mass[i] = particles[4 * i + 3];
}

Particles take_apart(const Tensor& particles) {
  const int n = static_cast<int>(particles.size(0));
  const auto column = [&] { return empty({n}, particles.options()); };
  Particles result{column(), column(), column(), column()};
  if (n == 0) return result;
  take_rows_apart<<<(n + 255) / 256, 256, 0, stream(particles.device())>>>(
      particles.data_ptr<float>(), result.x.data_ptr<float>(), result.y.data_ptr<float>(), result.z.data_ptr<float>(),
      result.mass.data_ptr<float>(), n);
  return result;
}
