// SPDX-License-Identifier: MIT
// Functions on bits and packed integers, directed rounding, and rarer mathematical functions.
#include <cmath>

#include "verify.h"

__global__ void bits(unsigned* out) {
  int i = 0;
  out[i++] = umin(3U, 5U) + umax(3U, 5U);
  out[i++] = __fns(0b10110U, 0, 2);
  out[i++] = __funnelshift_lc(1, 2, 40);
  out[i++] = __vadd4(0x01ff0203U, 0x01010101U);
  out[i++] = __vaddss2(0x7fff8000U, 0x0001ffffU);
  out[i++] = __vabsdiffu4(0x05010203U, 0x01050203U);
  out[i++] = __vcmpgtu4(0x05010203U, 0x01050203U);
  out[i++] = __vmaxs2(0xffff0003U, 0x00010002U);
  out[i++] = __vsadu4(0x05010203U, 0x01050203U);
  out[i++] = static_cast<unsigned>(__dp4a(0x01020304, 0x01010101, 5));
  out[i++] = __byte_perm(0x33221100U, 0x77665544U, 0x7410U);
  out[i++] = __brev(1U) + static_cast<unsigned>(__popc(0xf0U) + __clz(1) + __ffs(8));
}

__global__ void rounding(float* out) {
  const float x = 1.0F, small = 1e-10F;
  out[0] = __fadd_ru(x, small);
  out[1] = __fadd_rd(x, small);
  out[2] = __fadd_rz(-x, small);
  out[3] = __fdiv_ru(1.0F, 3.0F) - __fdiv_rd(1.0F, 3.0F);
  out[4] = erfcinvf(erfcf(0.7F));
  out[5] = normcdfinvf(normcdff(-1.3F));
  out[6] = erfcxf(0.5F) - expf(0.25F) * erfcf(0.5F);
  const float vector[3] = {2, 3, 6};
  out[7] = normf(3, vector) + fdividef(1, 2);
}

int main() {
  unsigned* numbers = nullptr;
  float* floats = nullptr;
  CHECK(cudaMallocManaged(&numbers, 12 * sizeof(unsigned)));
  CHECK(cudaMallocManaged(&floats, 8 * sizeof(float)));
  bits<<<1, 1>>>(numbers);
  rounding<<<1, 1>>>(floats);
  CHECK(cudaDeviceSynchronize());
  const unsigned expected[12] = {8,           2,           1, 0x02000304U, 0x7fff8000U, 0x04040000U,
                                 0xff000000U, 0x00010003U, 8, 15,          0x77441100U, 0x80000000U + 39U};
  for (int i = 0; i < 12; ++i) {
    if (numbers[i] != expected[i]) std::fprintf(stderr, "%d: %x instead of %x\n", i, numbers[i], expected[i]);
    REQUIRE(numbers[i] == expected[i]);
  }
  REQUIRE(floats[0] > 1 && floats[1] == 1 && floats[2] > -1 && floats[3] > 0);
  REQUIRE(std::fabs(floats[4] - 0.7F) < 1e-5F && std::fabs(floats[5] + 1.3F) < 1e-5F);
  REQUIRE(std::fabs(floats[6]) < 1e-6F && std::fabs(floats[7] - 7.5F) < 1e-6F);
  return passed();
}
