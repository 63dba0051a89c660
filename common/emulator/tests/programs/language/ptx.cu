// SPDX-License-Identifier: MIT
// Inline PTX: arithmetic, bits, predicates, memory, atomics, copies to shared memory, and exchanges in a warp.
#include <cstdint>

#include "verify.h"

#define MUL_WIDE(result, a, b) asm("mul.wide.u32 %0, %1, %2;" : "=l"(result) : "r"(a), "r"(b))

__device__ unsigned shared_address(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }
__device__ unsigned shared_address_by_ptx(const void* p) {
  unsigned address = 0;
  asm("{ .reg .u64 wide; cvta.to.shared.u64 wide, %1; cvt.u32.u64 %0, wide; }" : "=r"(address) : "l"(p));
  return address;
}

__global__ void arithmetic(unsigned* out, float* floats) {
  unsigned long long wide = 0;
  MUL_WIDE(wide, 0xffffffffU, 2U);
  asm("mov.b64 {%0, %1}, %2;" : "=r"(out[0]), "=r"(out[1]) : "l"(wide));
  unsigned long long joined = 0;
  asm("mov.b64 %0, {%1, %2};" : "=l"(joined) : "r"(7U), "r"(1U));
  out[2] = joined == 0x100000007ULL;
  asm("add.cc.u32 %0, %2, %3;\n\t"
      "addc.u32 %1, %4, %5;"
      : "=r"(out[3]), "=r"(out[4])
      : "r"(0xffffffffU), "r"(2U), "r"(10U), "r"(20U));
  asm("bfe.u32 %0, %1, 4, 8;" : "=r"(out[5]) : "r"(0xabcdU));
  asm("bfe.s32 %0, %1, 4, 8;" : "=r"(out[6]) : "r"(0xabcdU));
  asm("bfi.b32 %0, %1, %2, 8, 4;" : "=r"(out[7]) : "r"(0xfU), "r"(0U));
  asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(out[8]) : "r"(5U), "r"(3U), "r"(1U));
  asm("prmt.b32 %0, %1, %2, 0x5410;" : "=r"(out[9]) : "r"(0x03020100U), "r"(0x07060504U));
  asm("mad.lo.s32 %0, %1, %2, %3;" : "=r"(out[10]) : "r"(-3), "r"(4), "r"(5));
  asm("shr.s32 %0, %1, %2;" : "=r"(out[11]) : "r"(-64), "r"(40));
  asm("{\n\t"
      ".reg .pred p, q;\n\t"
      ".reg .u32 t<2>;\n\t"
      "setp.lt.s32 p|q, %1, 0;\n\t"
      "mov.u32 t0, 5;\n\t"
      "@p mov.u32 t0, 6;  // only if negative\n\t"
      "@!q add.u32 t0, t0, 10;\n\t"
      "selp.u32 t1, 100, 200, p;\n\t"
      "add.u32 %0, t0, t1;\n\t"
      "}"
      : "=r"(out[12])
      : "r"(-1));
  asm("clz.b32 %0, %1;" : "=r"(out[13]) : "r"(1U));
  asm("brev.b32 %0, %1;" : "=r"(out[14]) : "r"(1U));
  asm("cvt.rni.s32.f32 %0, %1;" : "=r"(out[15]) : "f"(2.5F));
  asm("cvt.rzi.u32.f32 %0, %1;" : "=r"(out[16]) : "f"(-7.5F));
  asm("mov.b32 %0, %1;" : "=r"(out[17]) : "f"(1.0F));
  asm("fma.rn.f32 %0, %1, %2, 0f40800000;" : "=f"(floats[0]) : "f"(2.0F), "f"(3.0F));
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(floats[1]) : "f"(3.0F));
  asm("add.sat.f32 %0, %1, %2;" : "=f"(floats[2]) : "f"(0.75F), "f"(0.75F));
  asm("max.f32 %0, %1, %2;" : "=f"(floats[3]) : "f"(-1.0F), "f"(4.0F));
}

__global__ void memory(const float4* in, float4* out, unsigned* counters) {
  __shared__ float4 tile[32];
  const unsigned to = shared_address(&tile[threadIdx.x]);
  asm volatile("cp.async.cg.shared.global [%0], [%1], %2;\n" ::"r"(to), "l"(in + threadIdx.x), "n"(16));
  asm volatile("cp.async.commit_group;\n" ::);
  asm volatile("cp.async.wait_group %0;\n" ::"n"(0));
  asm volatile("bar.sync 0;" ::: "memory");
  const unsigned from = shared_address_by_ptx(tile) + 16 * (31 - threadIdx.x);
  float4 value;
  asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(value.x), "=f"(value.y), "=f"(value.z), "=f"(value.w)
               : "r"(from));
  asm volatile("st.global.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(out + threadIdx.x), "f"(value.x), "f"(value.y),
               "f"(value.z), "f"(value.w)
               : "memory");
  unsigned before = 0;
  asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(before) : "l"(counters), "r"(1U) : "memory");
  asm volatile("red.global.max.u32 [%0+4], %1;" ::"l"(counters), "r"(before) : "memory");
  unsigned seen = 0;
  asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(counters) : "memory");
  if (seen > 32) asm volatile("trap;");
}

/// Values are loaded as another type, as libraries do it: the bits are the same.
__device__ void load16(float4& to, const void* from) {
  uint4& bits = reinterpret_cast<uint4&>(to);
  asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(bits.x), "=r"(bits.y), "=r"(bits.z), "=r"(bits.w)
               : "l"(from));
}
__global__ void sums(const float* in, float* out) {
  float4 four = make_float4(0, 0, 0, 0);
  for (int i = 0; i < 2; ++i) {
    const float before = four.x + four.y + four.z + four.w;
    load16(four, in + 4 * i);
    out[i] = before + four.x + four.y + four.z + four.w;
  }
}

__global__ void warp(unsigned* out) {
  const unsigned lane = threadIdx.x;
  unsigned got = 0;
  unsigned inside = 0;
  asm volatile("{ .reg .pred p; shfl.sync.down.b32 %0|p, %2, 3, 0x1f, 0xffffffff; selp.u32 %1, 1, 0, p; }"
               : "=r"(got), "=r"(inside)
               : "r"(lane));
  unsigned ballot = 0;
  asm volatile("{ .reg .pred p; setp.gt.u32 p, %1, 29; vote.sync.ballot.b32 %0, p, 0xffffffff; }"
               : "=r"(ballot)
               : "r"(lane));
  unsigned half = 0;
  asm volatile("shfl.sync.bfly.b32 %0, %1, 1, 0x101f, 0xffffffff;" : "=r"(half) : "r"(lane));
  unsigned first = 0;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(first));
  if (lane == 30) out[0] = got, out[1] = inside, out[2] = ballot, out[3] = half, out[4] = first;
  if (lane == 2) out[5] = got, out[6] = inside;
}

/// The instructions of video: four bytes or two halves in a word.
__global__ void video(unsigned* out) {
  const unsigned a = 0x01ff7f80U;
  const unsigned b = 0x02017f01U;
  asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(out[0]) : "r"(a), "r"(b), "r"(1000U));
  asm("vabsdiff4.u32.u32.u32 %0, %1, %2, %3;" : "=r"(out[1]) : "r"(a), "r"(b), "r"(0U));
  asm("vabsdiff4.u32.s32.s32 %0, %1, %2, %3;" : "=r"(out[2]) : "r"(a), "r"(b), "r"(0U));
  asm("vadd4.u32.u32.u32.sat %0, %1, %2, %3;" : "=r"(out[3]) : "r"(a), "r"(b), "r"(0U));
  asm("vsub4.s32.s32.s32.sat %0, %1, %2, %3;" : "=r"(out[4]) : "r"(a), "r"(b), "r"(0U));
  asm("vmin2.s32.s32.s32 %0, %1, %2, %3;" : "=r"(out[5]) : "r"(0xffff0003U), "r"(0x00010002U), "r"(0U));
  asm("vmax2.u32.u32.u32 %0, %1, %2, %3;" : "=r"(out[6]) : "r"(0xffff0003U), "r"(0x00010002U), "r"(0U));
}

int main() {
  unsigned* out = nullptr;
  float* floats = nullptr;
  CHECK(cudaMallocManaged(&out, 32 * sizeof(unsigned)));
  CHECK(cudaMallocManaged(&floats, 10 * sizeof(float)));
  arithmetic<<<1, 1>>>(out, floats);
  CHECK(cudaDeviceSynchronize());
  const unsigned expected[] = {
      0xfffffffeU, 1,   1,  1,           31, 0xbc, 0xffffffbcU, 0xf00, 7, 0x05040100U, static_cast<unsigned>(-7),
      ~0U,         116, 31, 0x80000000U, 2,  0,    0x3f800000U};
  for (int i = 0; i < 18; ++i) {
    if (out[i] != expected[i]) std::fprintf(stderr, "%d: %x, not %x\n", i, out[i], expected[i]);
    REQUIRE(out[i] == expected[i]);
  }
  REQUIRE(floats[0] == 10 && floats[1] == 8 && floats[2] == 1 && floats[3] == 4);

  for (int i = 0; i < 4; ++i) floats[i] = floats[4 + i] = static_cast<float>(i + 1);
  sums<<<1, 1>>>(floats, floats + 8);
  CHECK(cudaDeviceSynchronize());
  REQUIRE(floats[8] == 10 && floats[9] == 20);

  float4* in = nullptr;
  float4* turned = nullptr;
  CHECK(cudaMallocManaged(&in, 32 * sizeof(float4)));
  CHECK(cudaMallocManaged(&turned, 32 * sizeof(float4)));
  for (int i = 0; i < 32; ++i) in[i] = make_float4(i, 2 * i, 3 * i, 4 * i);
  out[0] = out[1] = 0;
  memory<<<1, 32>>>(in, turned, out);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 32; ++i) REQUIRE(turned[i].x == 31 - i && turned[i].w == 4 * (31 - i));
  REQUIRE(out[0] == 32 && out[1] == 31);

  warp<<<1, 32>>>(out);
  CHECK(cudaDeviceSynchronize());
  REQUIRE(out[0] == 30 && out[1] == 0 && out[2] == 0xc0000000U && out[3] == 31 && out[4] == 30);
  REQUIRE(out[5] == 5 && out[6] == 1);

  video<<<1, 1>>>(out);
  CHECK(cudaDeviceSynchronize());
  const unsigned lanes[] = {
      1000 + 1 + 254 + 0 + 127, 0x01fe007fU, 0x01020081U, 0x03fffe81U, 0xfffe0080U, 0xffff0002U, 0xffff0003U};
  for (int i = 0; i < 7; ++i) {
    if (out[i] != lanes[i]) std::fprintf(stderr, "video %d: %x, not %x\n", i, out[i], lanes[i]);
    REQUIRE(out[i] == lanes[i]);
  }
  return passed();
}
