// SPDX-License-Identifier: MIT
// Right kernels of all shapes. Compiled with the instrumentation.
#include <cstdio>
#include <cstring>

#include "checks_kernels.h"
#include "cooperative_groups.h"
#include "kernels.h"

namespace d2l::emulator::testing {
namespace {

#define RIGHT(NAME, GRID, BLOCK, DYNAMIC, ...) PLANTED(NAME, GRID, BLOCK, DYNAMIC, "", __VA_ARGS__)

template <class T, int Size>
__device__ T block_sum(T value) {
  D2L_TEST_SHARED(sums, T[Size]);
  sums[threadIdx.x] = value;
  __syncthreads();
  for (unsigned half = Size / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  return sums[0];
}
__device__ float warp_sum(float value) {
  for (unsigned delta = 16; delta > 0; delta /= 2) value += __shfl_down_sync(0xffffffffU, value, delta);
  return value;
}
__device__ void lock(int* mutex) {
  while (atomicCAS(mutex, 0, 1) != 0) {
  }
}
__device__ void unlock(int* mutex) {
  __threadfence();
  atomicExch(mutex, 0);
}
__device__ float add_by_swap(float* address, float value) {
  int* const as_int = reinterpret_cast<int*>(address);
  int old = *as_int;
  int assumed;
  do {
    assumed = old;
    old = atomicCAS(as_int, assumed, __float_as_int(value + __int_as_float(assumed)));
  } while (assumed != old);
  return __int_as_float(old);
}

/// Threads whose value is no larger make no atomic access.
__device__ void keep_maximum(float* address, float value) {
  int* const as_int = reinterpret_cast<int*>(address);
  int old = *as_int;
  while (value > __int_as_float(old)) {
    const int assumed = old;
    old = atomicCAS(as_int, assumed, __float_as_int(value));
    if (assumed == old) break;
  }
}

struct View {
  const float* values;
  float* results;
  unsigned count;
};
template <class Function>
__device__ void for_each_of(View view, Function function) {
  for (unsigned k = blockIdx.x * blockDim.x + threadIdx.x; k < view.count; k += gridDim.x * blockDim.x) {
    view.results[k] = function(view.values[k]);
  }
}
__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
union Bits {
  float number;
  unsigned bits;
  unsigned char bytes[4];
};
struct Body {
  float position[3];
  int cell;
};
struct Padded {
  char tag;
  double value;
};
struct Short {
  int number;
  char tag;
};
struct Twelve {
  int number;
  char tag;
  int last;
};
struct Point {
  float x, y;
};
struct Moving {
  int number;
  Point at;
};

/// The sum of all blocks before this one, which publish theirs with a flag: a decoupled look-back.
__device__ void look_back(Arguments a) {
  D2L_TEST_SHARED(before, float);
  D2L_TEST_SHARED(block, int);
  if (threadIdx.x == 0) block = atomicAdd(&a.counts[0], 1);  // in the order in which blocks start
  __syncthreads();
  const float sum = warp_sum(a.in[block * 32 + static_cast<int>(threadIdx.x)]);
  if (threadIdx.x == 0) {
    if (block > 0) {
      while (atomicAdd(&a.counts[block], 0) == 0) {
      }
      __threadfence();
      before = a.out[block - 1];
    } else {
      before = 0;
    }
    a.out[block] = before + sum;
    __threadfence();
    atomicExch(&a.counts[block + 1], 1);
  }
  __syncthreads();
  a.in[block * 32 + static_cast<int>(threadIdx.x)] = before;
}

/// Two buffers in shared memory: one is filled while the other is read.
__device__ void double_buffered(Arguments a) {
  D2L_TEST_SHARED(buffers, float[2][32]);
  const unsigned t = threadIdx.x;
  buffers[0][t] = a.in[t];
  __syncthreads();
  float sum = 0;
  for (unsigned k = 0; k < 8; ++k) {
    if (k < 7) buffers[(k + 1) % 2][t] = a.in[(k + 1) * 32 + t];
    sum += buffers[k % 2][31 - t];
    __syncthreads();
  }
  a.out[t] = sum;
}

/// Odd and even places change their roles: each pass reads one buffer and writes the other.
__device__ void ping_pong(Arguments a) {
  float* from = a.in;
  float* to = a.out;
  for (int k = 0; k < 6; ++k) {
    to[threadIdx.x] = from[(threadIdx.x + 1) % blockDim.x];
    __syncthreads();
    float* const swapped = from;
    from = to;
    to = swapped;
  }
}

/// Each warp has its own part of shared memory, and meets on its own.
__device__ void warps_apart(Arguments a) {
  D2L_TEST_SHARED(parts, float[4][32]);
  const unsigned warp = threadIdx.x / 32;
  for (unsigned k = 0; k < warp + 1; ++k) {
    parts[warp][threadIdx.x % 32] = a.in[threadIdx.x];
    __syncwarp();
    a.out[threadIdx.x] += parts[warp][31 - threadIdx.x % 32];
    __syncwarp();
  }
}

/// The elements that are kept, without gaps: ballots in the warp, one atomic for each.
__device__ void compact(Arguments a) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool kept = i % 3 == 0;
  const unsigned all = __ballot_sync(0xffffffffU, kept);
  int base = 0;
  if (lane() == 0) base = atomicAdd(&a.counts[0], __popc(all));
  base = __shfl_sync(0xffffffffU, base, 0);
  if (kept) a.out[base + __popc(all & ((1U << lane()) - 1U))] = a.in[i];
}

__device__ void tiled_product(Arguments a) {
  D2L_TEST_SHARED(left, float[4][4]);
  D2L_TEST_SHARED(right, float[4][5]);
  const unsigned x = threadIdx.x;
  const unsigned y = threadIdx.y;
  float sum = 0;
  for (unsigned tile = 0; tile < 16; tile += 4) {
    left[y][x] = a.in[(blockIdx.y * 4 + y) * 16 + tile + x];
    right[y][x] = a.in[(tile + y) * 16 + blockIdx.x * 4 + x];
    __syncthreads();
    for (unsigned k = 0; k < 4; ++k) sum += left[y][k] * right[k][x];
    __syncthreads();
  }
  a.out[(blockIdx.y * 4 + y) * 16 + blockIdx.x * 4 + x] = sum;
}

// The body of each kernel is on the line of its name.
// clang-format off
const std::vector<Planted> all{
    RIGHT("guard", 2, 160, 0, if (i < 256) a.out[i] = a.in[i] + 1;),
    RIGHT("grid stride", 2, 33, 0, for (unsigned k = i; k < 256; k += gridDim.x * blockDim.x) a.out[k] = a.in[k];),
    RIGHT("two dimensions", dim3(2, 2), dim3(7, 9), 0, const unsigned x = blockIdx.x * blockDim.x + threadIdx.x; const unsigned y = blockIdx.y * blockDim.y + threadIdx.y; if (x < 14 && y < 18) a.out[y * 14 + x] = 1;),
    RIGHT("three dimensions", dim3(1, 2, 2), dim3(3, 4, 5), 0, const unsigned k = ((blockIdx.z * 2 + blockIdx.y) * 60) + (threadIdx.z * 4 + threadIdx.y) * 3 + threadIdx.x; a.out[k] = 2;),
    RIGHT("one thread", 1, 1, 0, for (int k = 0; k < 256; ++k) a.out[k] = a.in[k];),
    RIGHT("1024 threads", 1, 1024, 0, if (i < 256) a.out[i] = 1; __syncthreads();),
    RIGHT("reverse in shared memory", 4, 64, 0, SHARED(tile, float[64]) tile[t] = a.in[i]; __syncthreads(); a.out[i] = tile[63 - t];),
    RIGHT("reverse, twice", 2, 64, 0, SHARED(tile, float[64]) for (int k = 0; k < 4; ++k) { tile[t] = a.in[i]; __syncthreads(); a.out[i] = tile[63 - t]; __syncthreads(); }),
    RIGHT("dynamic shared memory", 2, 50, 200, float* s = dynamic_shared<float>("s"); s[t] = a.in[i]; __syncthreads(); a.out[i] = s[49 - t];),
    RIGHT("block sum", 2, 128, 0, const float sum = block_sum<float, 128>(a.in[i]); if (t == 0) a.out[blockIdx.x] = sum;),
    RIGHT("block sum of int", 2, 64, 0, const int sum = block_sum<int, 64>(1); if (t == 0) a.counts[blockIdx.x] = sum;),
    RIGHT("warp sum", 2, 96, 0, const float sum = warp_sum(a.in[i]); if (t % 32 == 0) a.out[i / 32] = sum;),
    RIGHT("warp sums joined", 1, 256, 0, SHARED(sums, float[8]) const float sum = warp_sum(a.in[t]); if (t % 32 == 0) sums[t / 32] = sum; __syncthreads(); if (t == 0) { float all_sums = 0; for (float each : sums) all_sums += each; a.out[0] = all_sums; }),
    RIGHT("half a warp", 1, 16, 0, a.out[t] = __shfl_xor_sync(0xffffU, a.in[t], 8, 16);),
    RIGHT("odd block", 3, 45, 0, const unsigned active = __ballot_sync(__activemask(), t < 40); a.out[i] = static_cast<float>(active & 1U);),
    RIGHT("__syncwarp in shared memory", 1, 32, 0, SHARED(tile, float[64]) tile[t] = 1; tile[t + 32] = 1; for (unsigned k = 16; k > 0; k /= 2) { __syncwarp(); const float sum = tile[t] + tile[t + k]; __syncwarp(); tile[t] = sum; }),
    RIGHT("histogram", 4, 64, 0, atomicAdd(&a.counts[i % 8], 1);),
    RIGHT("histogram in shared memory", 2, 64, 0, SHARED(bins, int[16]) if (t < 16) bins[t] = 0; __syncthreads(); atomicAdd(&bins[t % 16], 1); __syncthreads(); if (t < 16) atomicAdd(&a.counts[t], bins[t]);),
    RIGHT("atomics of all kinds", 2, 32, 0, atomicMax(&a.counts[0], static_cast<int>(i)); atomicMin(&a.counts[1], -static_cast<int>(i)); atomicOr(&a.counts[2], 1 << (t % 31)); atomicXor(&a.counts[3], 1); atomicAdd(&a.out[0], 1.0F); atomicExch(&a.counts[4], 5);),
    RIGHT("add by swap", 2, 64, 0, add_by_swap(&a.out[0], 1.0F);),
    RIGHT("lock between blocks", 8, 1, 0, lock(&a.counts[0]); a.out[0] += 1; unlock(&a.counts[0]);),
    RIGHT("lock between threads", 2, 32, 0, lock(&a.counts[0]); a.out[0] += 1; unlock(&a.counts[0]);),
    RIGHT("the last block sums", 4, 32, 0, SHARED(last, int) const float sum = warp_sum(a.in[i]); if (t == 0) { a.out[blockIdx.x] = sum; __threadfence(); last = atomicAdd(&a.counts[0], 1) == 3 ? 1 : 0; } __syncthreads(); if (last != 0 && t == 0) { float all_sums = 0; for (int k = 0; k < 4; ++k) all_sums += a.out[k]; a.out[10] = all_sums; }),
    RIGHT("a flag between blocks", 2, 1, 0, volatile int* flag = a.counts; if (blockIdx.x == 1) { a.out[5] = 1; __threadfence(); *flag = 1; } else { while (*flag == 0) {} __threadfence(); a.out[6] = a.out[5]; }),
    RIGHT("all blocks wait", 4, 32, 0, a.out[i] = 1; __syncthreads(); if (t == 0) { __threadfence(); atomicAdd(&a.counts[0], 1); while (atomicAdd(&a.counts[0], 0) != 4) {} __threadfence(); } __syncthreads(); a.in[i] = a.out[127 - i];),
    RIGHT("bytes", 1, 256, 0, a.bytes[t] = static_cast<unsigned char>(t);),
    RIGHT("doubles", 1, 128, 0, reinterpret_cast<double*>(a.out)[t] = 1;),
    RIGHT("vectors", 1, 64, 0, reinterpret_cast<float4*>(a.out)[t] = reinterpret_cast<const float4*>(a.in)[t];),
    RIGHT("pairs", 1, 128, 0, float2 v = reinterpret_cast<const float2*>(a.in)[t]; v.x += v.y; reinterpret_cast<float2*>(a.out)[t] = v;),
    RIGHT("written, then read", 1, 256, 0, a.fresh[t] = 1; a.out[t] = a.fresh[t];),
    RIGHT("written by another, then read", 1, 256, 0, a.fresh[255 - t] = 1; __syncthreads(); a.out[t] = a.fresh[t];),
    RIGHT("all read one", 4, 64, 0, a.out[i] = a.in[0];),
    RIGHT("barrier in a loop", 1, 64, 0, for (int k = 0; k < 10; ++k) __syncthreads();),
    RIGHT("barrier, count", 1, 64, 0, const int n = __syncthreads_count(t < 10); if (n != 10) __trap(); if (__syncthreads_or(t == 3) == 0) __trap(); if (__syncthreads_and(t < 64) == 0) __trap();),
    RIGHT("votes", 1, 64, 0, if (__any_sync(0xffffffffU, t % 32 == 3) == 0) __trap(); if (__all_sync(0xffffffffU, t < 64) == 0) __trap(); if (__popc(__ballot_sync(0xffffffffU, t % 2 == 0)) != 16) __trap();),
    RIGHT("matches and reductions", 1, 32, 0, if (__match_any_sync(0xffffffffU, t / 16) != (t < 16 ? 0xffffU : 0xffff0000U)) __trap(); if (__reduce_add_sync(0xffffffffU, t) != 496) __trap(); if (__reduce_max_sync(0xffffffffU, -static_cast<int>(t)) != 0) __trap();),
    RIGHT("divergent branches", 1, 64, 0, if (t % 2 == 0) { a.out[t] = a.in[t]; } else { a.out[t] = a.in[t] * 2; }),
    RIGHT("shuffles in a branch", 1, 32, 0, if (t < 16) { a.out[t] = __shfl_down_sync(0x0000ffffU, a.in[t], 1, 16); } else { a.out[t] = __shfl_up_sync(0xffff0000U, a.in[t], 1, 16); }),
    RIGHT("aggregated atomics", 2, 64, 0, if (t % 3 == 0) { const unsigned mask = __activemask(); const int leader = __ffs(static_cast<int>(mask)) - 1; int base = 0; if (lane() == leader) base = atomicAdd(&a.counts[0], __popc(mask)); base = __shfl_sync(mask, base, leader); a.out[static_cast<unsigned>(base) + static_cast<unsigned>(__popc(mask & ((1U << lane()) - 1U)))] = 1; }),
    RIGHT("scan in shared memory", 1, 64, 0, SHARED(tile, float[64]) tile[t] = a.in[t]; __syncthreads(); for (unsigned k = 1; k < 64; k *= 2) { const float before = t >= k ? tile[t - k] : 0; __syncthreads(); tile[t] += before; __syncthreads(); } a.out[t] = tile[t];),
    RIGHT("early return without a barrier", 2, 200, 0, if (i >= 256) return; a.out[i] = a.in[i];),
    RIGHT("local array", 1, 64, 0, float local[16]; for (int k = 0; k < 16; ++k) local[(k + static_cast<int>(t)) % 16] = a.in[k]; a.out[t] = local[t % 16];),
    RIGHT("decoupled look-back", 8, 32, 0, look_back(a);),
    RIGHT("double buffering", 1, 32, 0, double_buffered(a);),
    RIGHT("ping-pong", 1, 100, 0, ping_pong(a);),
    RIGHT("warps apart", 1, 128, 0, warps_apart(a);),
    RIGHT("compaction", 4, 64, 0, compact(a);),
    RIGHT("tiled product", dim3(4, 4), dim3(4, 4), 0, tiled_product(a);),
    RIGHT("function of a template", 3, 40, 0, const float factor = 2; for_each_of({a.in, a.out, 256}, [=](float x) { return x * factor; });),
    RIGHT("recursion", 1, 33, 0, a.counts[t] = fibonacci(static_cast<int>(t % 8));),
    RIGHT("union", 1, 64, 0, Bits b; b.number = a.in[t]; b.bits ^= 1U << 31U; b.bytes[0] = 1; a.out[t] = b.number;),
    RIGHT("different bytes of a word", 1, 64, 0, reinterpret_cast<unsigned char*>(a.counts)[t] = 1;),
    RIGHT("different bytes of a shared word", 1, 64, 0, SHARED(words, unsigned char[64]) words[t] = static_cast<unsigned char>(t); __syncthreads(); a.bytes[t] = words[63 - t];),
    RIGHT("bytes of a word, then the word", 1, 64, 0, SHARED(words, int[16]) reinterpret_cast<unsigned char*>(words)[t] = 1; __syncthreads(); if (t < 16) a.counts[t] = words[t];),
    RIGHT("parts of dynamic shared memory", 2, 32, 256, float* s = dynamic_shared<float>("s"); int* second = reinterpret_cast<int*>(s + 32); s[t] = a.in[i]; second[t] = static_cast<int>(t); __syncthreads(); a.out[i] = s[second[31 - t]];),
    RIGHT("copies", 1, 16, 0, float local[4]; std::memcpy(local, a.in + 4 * t, sizeof local); local[1] += 1; std::memcpy(a.out + 4 * t, local, sizeof local); std::memset(a.fresh + 4 * t, 0, 16); a.out[t * 4] = a.fresh[4 * t + 3];),
    RIGHT("structures", 1, 32, 0, SHARED(bodies, Body[32]) Body own{{1, 2, 3}, static_cast<int>(t)}; bodies[t] = own; __syncthreads(); own = bodies[31 - t]; a.out[t] = own.position[2]; a.counts[t] = own.cell;),
    RIGHT("copies of no bytes", 1, 32, 0, const auto none = static_cast<std::size_t>(a.counts[0]); std::memcpy(a.bytes + 256, a.in + 256, none); std::memset(a.bytes + 256, 0, none);),
#ifndef __clang__  // it copies structures by memcpy, so that their alignment is not known
    RIGHT("unused bytes of structures", 1, 32, 0, SHARED(padded, Padded[32]) padded[t].tag = 1; padded[t].value = t; __syncthreads(); reinterpret_cast<Padded*>(a.in)[t] = padded[31 - t];),
    RIGHT("unused bytes at the end", 1, 32, 0, SHARED(pairs, Short[32]) pairs[t].number = 1; pairs[t].tag = 1; __syncthreads(); reinterpret_cast<Short*>(a.in)[t] = pairs[31 - t];),
    RIGHT("unused bytes of 12", 1, 32, 0, SHARED(triples, Twelve[32]) triples[t].number = 1; triples[t].tag = 1; triples[t].last = 2; __syncthreads(); reinterpret_cast<Twelve*>(a.in)[t] = triples[31 - t];),
    RIGHT("alignment of a member's structure", 1, 32, 0, SHARED(bodies, Moving[32]) bodies[t].at.x = 1; bodies[t].at.y = 2; __syncthreads(); reinterpret_cast<Point*>(a.out)[t] = bodies[31 - t].at;),
#endif
    RIGHT("printing", 1, 1, 0, std::printf("%s", "");),
    RIGHT("sum of floats in shared memory", 2, 64, 0, SHARED(sum, float) if (t == 0) sum = 0; __syncthreads(); atomicAdd(&sum, a.in[i]); __syncthreads(); if (t == 0) a.out[blockIdx.x] = sum;),
    RIGHT("reduction, last warp with shuffles", 2, 128, 0, SHARED(sums, float[128]) sums[t] = a.in[i]; __syncthreads(); if (t < 64) sums[t] += sums[t + 64]; __syncthreads(); if (t < 32) { const float sum = warp_sum(sums[t] + sums[t + 32]); if (t == 0) a.out[blockIdx.x] = sum; }),
    RIGHT("first lane of each warp", 2, 96, 0, if (t % 32 == 0) { a.out[i / 32] = a.in[i]; } __syncthreads(); if (t == 1) a.in[i] = a.out[(i - 1) / 32];),
    RIGHT("one writes, all read after a barrier", 1, 256, 0, SHARED(x, float) if (t == 200) x = a.in[0]; __syncthreads(); a.out[t] = x;),
    RIGHT("reads beside atomics of others", 2, 32, 0, if (t < 16) { atomicAdd(&a.counts[t], 1); } else { a.out[i] = static_cast<float>(a.counts[t + 16]); }),
    RIGHT("maximum by swaps", 2, 64, 0, keep_maximum(&a.out[0], static_cast<float>(i * 7 % 61));),
    RIGHT("a look before an atomic", 2, 64, 0, if (a.counts[0] < static_cast<int>(i * 7 % 61)) atomicMax(&a.counts[0], static_cast<int>(i * 7 % 61));),
    RIGHT("last block", 4, 64, 0, SHARED(last, bool) a.out[i] = a.in[i]; __threadfence(); __syncthreads(); if (t == 0) last = atomicInc(reinterpret_cast<unsigned*>(&a.counts[0]), gridDim.x - 1) == gridDim.x - 1; __syncthreads(); if (last) { float sum = 0; for (unsigned k = t; k < 256; k += 64) sum += a.out[k]; a.in[t] = sum; }),
    RIGHT("signal to a consumer", 2, 32, 0, if (blockIdx.x == 0) { a.out[t] = 1; __threadfence(); __syncthreads(); if (t == 0) atomicExch(&a.counts[0], 1); } else { if (t == 0) { while (atomicCAS(&a.counts[0], 1, 1) != 1) {} } __syncthreads(); __threadfence(); a.in[t] = a.out[31 - t]; }),
    RIGHT("every size of an access", 1, 16, 0, a.bytes[t] = 1; reinterpret_cast<short*>(a.in)[t] = 2; reinterpret_cast<double*>(a.out)[t] = 3; reinterpret_cast<int2*>(a.counts)[t].y = 4;),
    RIGHT("bubble in one thread", 2, 1, 16, float* s = dynamic_shared<float>("s"); for (int k = 0; k < 4; ++k) s[k] = a.in[k]; for (int k = 3; k > 0; --k) { const float x = s[k]; s[k] = s[k - 1]; s[k - 1] = x; } a.out[blockIdx.x] = s[0];),
    RIGHT("local arrays", 1, 32, 0, float local[4][4]; float* const end = &local[3][4]; float value = 0; for (float* p = &local[0][0]; p != end; ++p) *p = value++; a.out[t] = local[t % 4][t / 8]; int last[2] = {1, 2}; a.counts[t] = (&last[2])[-1];),
    RIGHT("a shared array by its last index", 1, 64, 0, SHARED(tile, float[8][8]) tile[0][t] = a.in[t]; __syncthreads(); a.out[t] = tile[0][63 - t];),
    RIGHT("tiles of two warps", 2, 128, 0, SHARED(x, float[128]) const auto tile = cooperative_groups::tiled_partition<64>(cooperative_groups::this_thread_block()); for (int k = 0; k < 3; ++k) { x[t] = a.in[i]; tile.sync(); a.out[i] = x[t ^ 33U]; tile.sync(); }),
    RIGHT("cached loads", 1, 256, 0, __stcs(&a.out[t], __ldg(&a.in[t]));),
};
// clang-format on

}  // namespace

const std::vector<Planted>& right_kernels() { return all; }

}  // namespace d2l::emulator::testing
