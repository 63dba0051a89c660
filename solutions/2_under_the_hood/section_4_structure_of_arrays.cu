// SPDX-License-Identifier: MIT
// A thread takes one particle apart. It loads the particle as a float4, 16 bytes in one
// instruction: a warp fetches 512 neighbouring bytes, 16 sectors, and uses all of them.
// Four loads of a float each would touch the same 16 sectors four times. The stores are
// four requests of 32 neighbouring floats, 4 sectors each. An address for a float4 must
// be a multiple of 16 bytes. The rows of a contiguous matrix with 4 columns begin at
// such addresses, because the memory of a tensor begins at a multiple of 512 bytes.
#include "d2l/stream.h"
#include "exercise.h"

using namespace d2l;

__global__ void take_rows_apart(const float4* particles, float* x, float* y, float* z,
                                float* mass, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  const float4 particle = particles[i];
  x[i] = particle.x;
  y[i] = particle.y;
  z[i] = particle.z;
  mass[i] = particle.w;
}

Particles take_apart(const Tensor& particles) {
  const int n = static_cast<int>(particles.size(0));
  const auto column = [&] { return empty({n}, particles.options()); };
  Particles result{column(), column(), column(), column()};
  if (n == 0) return result;
  const auto* const rows = reinterpret_cast<const float4*>(particles.data_ptr<float>());
  take_rows_apart<<<(n + 255) / 256, 256, 0, stream(particles.device())>>>(
      rows, result.x.data_ptr<float>(), result.y.data_ptr<float>(),
      result.z.data_ptr<float>(), result.mass.data_ptr<float>(), n);
  return result;
}
