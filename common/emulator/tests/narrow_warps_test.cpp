// SPDX-License-Identifier: MIT
// Which places of a program are told when its warps have 64 lanes.
#include "translator/narrow_warps.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace d2l::emulator::translator {
namespace {

/// What is told of the body of a kernel, without the lines.
std::vector<std::string> told(const std::string& body, const std::string& before = "") {
  const std::string source =
      before + "\n__global__ void kernel(const float* in, float* out, int n) {\n" + body + "\n}\n";
  std::vector<std::string> all;
  for (const NarrowPlace& place : places_for_32_lanes(source)) all.push_back(place.what);
  return all;
}
using Told = std::vector<std::string>;

TEST(NarrowWarps, Masks) {
  EXPECT_EQ(told("v += __shfl_xor_sync(0xffffffff, v, 1);"), Told{"the mask 0xffffffff has 32 lanes"});
  EXPECT_EQ(told("v += __shfl_sync(0xFFFFFFFFu, v, 0);"), Told{"the mask 0xFFFFFFFFu has 32 lanes"});
  EXPECT_EQ(told("if (__any_sync(~0u, v > 0)) out[0] = 1;"), Told{"the mask ~0u has 32 lanes"});
  EXPECT_EQ(told("__syncwarp(FULL);", "#define FULL 0xffffffff"), Told{"the mask FULL has 32 lanes"});
  EXPECT_EQ(told("v = __reduce_add_sync(all, v);", "constexpr unsigned all = 0xffffffffu;"),
            Told{"the mask all has 32 lanes"});
  EXPECT_EQ(told("v += __shfl_xor_sync(~0ULL, v, 1); __syncwarp(); v += __shfl_xor_sync(0xffffffffffffffffULL, v, 2);"),
            Told{});
  EXPECT_EQ(told("v += __shfl_xor_sync(__activemask(), v, 1);"), Told{});
  EXPECT_EQ(told("out[0] = hash & 0xffffffff;"), Told{});
}

TEST(NarrowWarps, ResultsOfVotes) {
  EXPECT_EQ(told("unsigned lanes = __ballot_sync(~0ULL, n > 3);"),
            Told{"32 bits for the lanes that __ballot_sync gives"});
  EXPECT_EQ(told("const unsigned int lanes = __activemask();"), Told{"32 bits for the lanes that __activemask gives"});
  EXPECT_EQ(told("uint32_t same = __match_any_sync(~0ULL, n);"),
            Told{"32 bits for the lanes that __match_any_sync gives"});
  EXPECT_EQ(told("int count = __popc(__ballot(n > 3));"), Told{"__popc takes 32 bits, and __ballot gives 64"});
  EXPECT_EQ(told("int first = __ffs(__ballot(n > 3)) - 1;"), Told{"__ffs takes 32 bits, and __ballot gives 64"});
  EXPECT_EQ(told("f(static_cast<unsigned>(__ballot(n > 3)));"), Told{"32 bits for the lanes that __ballot gives"});
  EXPECT_EQ(told("unsigned long long lanes = __ballot(n > 3); auto own = __activemask(); uint64_t all = __ballot(1);"),
            Told{});
  EXPECT_EQ(told("int count = __popcll(__ballot(n > 3)); int bits = __popc(n);"), Told{});
  EXPECT_EQ(told("if (__ballot(n > 3) == 0xffffffff) out[0] = 1;"), Told{"0xffffffff has 32 lanes"});
  EXPECT_EQ(told("if (in[0] == 0xffffffff) out[0] = 1;"), Told{});
  EXPECT_EQ(told("if ((mask & (1u << lane)) != 0) out[0] = 1;"), Told{"1u << lane has 32 bits"});
  EXPECT_EQ(told("if ((mask & (1ULL << lane)) != 0) out[1 << n] = 1;"), Told{});
}

TEST(NarrowWarps, LanesAndWarps) {
  EXPECT_EQ(told("int lane = threadIdx.x % 32;"), Told{"a thread's lane or warp by % 32"});
  EXPECT_EQ(told("int tid = threadIdx.x;\nint warp_id = tid / 32;"), Told{"a thread's lane or warp by / 32"});
  EXPECT_EQ(told("const int lane = threadIdx.x & 31;"), Told{"a thread's lane or warp by & 31"});
  EXPECT_EQ(told("const int lane = threadIdx.x & 0x1f;"), Told{"a thread's lane or warp by & 0x1f"});
  EXPECT_EQ(told("int wid = threadIdx.x >> 5;"), Told{"a thread's lane or warp by >> 5"});
  EXPECT_EQ(told("if (threadIdx.x % 32 == 0) out[0] = v;\nv = __shfl_sync(~0ULL, v, 0);"),
            Told{"a thread's lane or warp by % 32"});
  EXPECT_EQ(told("out[threadIdx.x] = 0;", "#define WARP_SIZE 32"), Told{"WARP_SIZE is 32"});
  EXPECT_EQ(told("out[threadIdx.x] = 0;", "constexpr int kWarpSize = 32;"), Told{"kWarpSize is 32"});
  EXPECT_EQ(told("const int lane = threadIdx.x & (32 - 1);"), Told{"a thread's lane or warp by & (32 - 1)"});
  EXPECT_EQ(told("out[threadIdx.x] = 0;", "#define LANES 32"), Told{"LANES is 32"});
  EXPECT_EQ(told("int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;"), Told{});
  // A tile of 32 columns is no warp, nor is a part of a warp with a width of its own.
  EXPECT_EQ(told("int column = threadIdx.x % 32, row = threadIdx.x / 32;\n__syncthreads();"), Told{});
  EXPECT_EQ(told("int lane = threadIdx.x % 32;\nv += __shfl_xor_sync(~0ULL, v, 16, 32);"), Told{});
  EXPECT_EQ(told("auto tile = cg::tiled_partition<32>(block);\nint warp = threadIdx.x / 32;"), Told{});
  EXPECT_EQ(told("out[0] = n % 32 + n / 32 + (n & 31) + (n >> 5);\nv = __shfl_sync(~0ULL, v, 0);"), Told{});
  EXPECT_EQ(told("", "#if defined(__HIP_PLATFORM_AMD__)\n#define WARP_SIZE 64\n#else\n#define WARP_SIZE 32\n#endif"),
            Told{});
  EXPECT_EQ(told("", "constexpr int warps_per_block = 32;\nconst int blocks = 32;"), Told{});
}

TEST(NarrowWarps, Distances) {
  EXPECT_EQ(told("for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0ULL, v, d);"),
            Told{"the shuffles begin at a distance of 16"});
  EXPECT_EQ(told("for (unsigned mask = 16; mask; mask >>= 1) v += __shfl_xor(v, mask);"),
            Told{"the shuffles begin at a distance of 16"});
  EXPECT_EQ(told("v += __shfl_xor(v, 16);\nv += __shfl_xor(v, 8);\nv += __shfl_xor(v, 4);"),
            Told{"the shuffles begin at a distance of 16"});
  EXPECT_EQ(told("for (int d = warpSize / 2; d > 0; d /= 2) v += __shfl_down_sync(~0ULL, v, d);"), Told{});
  EXPECT_EQ(told("for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0ULL, v, d, 32);"), Told{});
  EXPECT_EQ(told("v += __shfl_xor(v, 32);\nv += __shfl_xor(v, 16);\nv += __shfl_xor(v, 8);"), Told{});
  EXPECT_EQ(told("for (int i = 16; i > 0; --i) v += in[i];"), Told{});
  EXPECT_EQ(told("for (int d = 1; d < 32; d *= 2) v += __shfl_up(v, d);"),
            Told{"the shuffles end at a distance of 16"});
  EXPECT_EQ(told("for (int d = 1; d <= 16; d *= 2) v += __shfl_up(v, d);"),
            Told{"the shuffles end at a distance of 16"});
  EXPECT_EQ(
      told("for (int d = 1; d < warpSize; d *= 2) v += __shfl_up(v, d);\nfor (int i = 0; i < 32; ++i) v += in[i];"),
      Told{});
  EXPECT_EQ(told("for (int i = 0; i < 32; ++i) v += __shfl(v, first);"), Told{});
}

TEST(NarrowWarps, TheLastLane) {
  EXPECT_EQ(told("v = __shfl(v, 31);"), Told{"lane 31 as the last lane"});
  EXPECT_EQ(told("v = __shfl(v, 31, 32);"), Told{});
  EXPECT_EQ(told("if (lane_id == 31) out[0] = v;"), Told{"lane 31 as the last lane"});
  EXPECT_EQ(told("if (lane == warpSize - 1 || n == 31) out[0] = v;"), Told{});
}

TEST(NarrowWarps, NamesTheLine) {
  const auto places = places_for_32_lanes("// 0xffffffff\nvoid f() {\n  __syncwarp(0xffffffff);\n}\n");
  ASSERT_EQ(places.size(), 1U);
  EXPECT_EQ(places.front().line, 3);
}

}  // namespace
}  // namespace d2l::emulator::translator
