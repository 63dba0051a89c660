// SPDX-License-Identifier: MIT
// Kernels with one fault each. Compiled with the instrumentation.
#include <cassert>
#include <cstring>

#include "checks_kernels.h"
#include "cooperative_groups.h"
#include "cuda/atomic"
#include "cuda_pipeline.h"
#include "kernels.h"

namespace d2l::emulator::testing {
namespace {

int recurse(int depth) {
  volatile int local[64];
  local[depth % 64] = depth;
  return depth < 0 ? 0 : recurse(depth + 1) + local[(depth + 1) % 64];
}

int recurse_in_large_steps(int depth) {
  volatile char local[40000];
  local[depth % 64] = static_cast<char>(depth);
  return depth < 0 ? 0 : recurse_in_large_steps(depth + 1) + local[(depth + 1) % 64];
}

struct View {
  float* values;
  int count;
};
struct Particle {
  float position[3];
  int cell;
};
inline float load(const View& view, int i) {
  return view.values[i];  // the line of the report, not that of the call
}
constexpr int line_of_load = __LINE__ - 2;
[[maybe_unused]] __device__ inline void count_one(int* counts, unsigned i) {
  cuda::atomic_ref<int, cuda::thread_scope_device> count(counts[i]);
  count.fetch_add(1);  // the line of the report, not that of the library's code
}
[[maybe_unused]] constexpr int line_of_count = __LINE__ - 2;
__device__ void store_all(View view, float value) {
  for (int k = 0; k < view.count; ++k) view.values[k] = value;
}

#define FAULTY(...) FAULTY_WITH(0, __VA_ARGS__)
#define FAULTY_WITH(DYNAMIC, NAME, GRID, BLOCK, REPORT, ...) PLANTED(NAME, GRID, BLOCK, DYNAMIC, REPORT, __VA_ARGS__)
#define AT3(KIND, THREAD) \
  KIND " at FILE:LINE: kernel kernel, block \\(0, 0, 0\\), thread \\((" THREAD "), [0-9]+, 0\\): "
// What a report begins with. \\1 is the thread.
#define AT(KIND, BLOCK, THREAD) \
  KIND " at FILE:LINE: kernel kernel, block \\(" BLOCK ", 0, 0\\), thread \\((" THREAD "), 0, 0\\): "
#define ANY "[0-9]+"
#define WITH(THREAD) ", with thread \\((" THREAD "), 0, 0\\) at FILE:LINE"
#define WITH_BLOCK(BLOCK, THREAD) ", with block \\((" BLOCK "), 0, 0\\), thread \\((" THREAD "), 0, 0\\) at FILE:LINE"
// A thread writes tile[its number] while another one reads it.
#define READ_AND_WRITTEN                                                                    \
  AT("race", "0", ANY)                                                                      \
  "(read after write, shared tile\\[([0-9]+)\\], with thread \\(\\3, 0, 0\\) at FILE:LINE|" \
  "write after read, shared tile\\[\\1\\]" WITH(ANY) ")"

// The body of each kernel is on the line of its name.
// clang-format off
const std::vector<Planted> all{
    FAULTY("the same value by all", 1, 64, AT("race", "0", ANY) "write after write, out\\[3\\]" WITH(ANY) "\\. All these writes store the value that is there, 0x40400000 \\(1077936128 as an int, 3 as a float\\): the result does not depend", a.out[3] = 3;),
    FAULTY("the same values by all, before a barrier", 1, 64, AT("race", "0", ANY) "write after write, shared s\\[[0-7]\\]" WITH(ANY) "\\. All these writes store the value that is there: the result", SHARED(s, int[8]) s[t % 8] = static_cast<int>(t % 8); __syncthreads(); a.counts[t] = s[t % 8];),
    FAULTY("the same value by all, from what is read", 2, 32, AT("race", ANY, ANY) "write after write, out\\[[0-9]+\\]" WITH_BLOCK(ANY, ANY) "\n", const float before = a.out[t]; a.out[t] = before * 0;),
    FAULTY("another value by one", 1, 64, AT("race", "0", ANY) "write after write, out\\[3\\]" WITH(ANY) "\n", a.out[3] = t == 40 ? 1 : 3;),
    FAULTY("a value by each", 1, 64, AT("race", "0", ANY) "write after write, out\\[3\\]" WITH(ANY) "\n", a.out[3] = static_cast<float>(t);),
    FAULTY("no guard", 2, 160, AT("out of bounds", "1", "9[6-9]|1[0-5].") "write of 4 bytes, out\\[(25[6-9]|2[6-9].|3[01].)\\], which has 1024 bytes", a.out[i] = 1;),
    FAULTY("read beyond", 1, 256, AT("out of bounds", "0", "255") "read of 4 bytes, in\\[256\\]", a.out[i] = a.in[i + 1];),
    FAULTY("read before", 1, 256, AT("out of bounds", "0", "0") "read of 4 bytes, in\\[-1\\]", a.out[i] = a.in[static_cast<int>(i) - 1];),
    FAULTY("far beyond", 1, 1, AT("out of bounds", "0", "0") "write of 4 bytes, out\\[5000\\]", a.out[5000] = 1;),
    FAULTY("byte beyond", 1, 257, AT("out of bounds", "0", "256") "write of 1 bytes, bytes\\[256\\]", a.bytes[i] = 1;),
    FAULTY("atomic beyond", 1, 65, AT("out of bounds", "0", "64") "atomic access of 4 bytes, counts\\[64\\]", atomicAdd(&a.counts[i], 1);),
#ifndef __clang__  // it does not optimise, so that the access is in a function of the library
    FAULTY("atomic reference beyond", 1, 65, AT("out of bounds", "0", "64") "atomic access of 4 bytes, counts\\[64\\]", cuda::atomic_ref<int, cuda::thread_scope_device> count(a.counts[i]); count.fetch_add(1);),
#endif
    FAULTY("vector beyond", 1, 65, AT("out of bounds", "0", "64") "read of 16 bytes, in\\[256\\]", float4 v = reinterpret_cast<float4*>(a.in)[i]; if (v.x > 5) a.out[t] = v.y;),
    FAULTY("asynchronous copy beyond", 1, 32, AT("out of bounds", "0", "31") "write of 16 bytes, stage\\[32\\] of shared memory", SHARED(stage, float4[32]) __pipeline_memcpy_async(&stage[t + 1], reinterpret_cast<float4*>(a.in) + t, 16);),
    FAULTY("misaligned element of a shared array", 1, 32, AT("misaligned", "0", "2") "read of 8 bytes, words\\[3\\]", SHARED(words, int[64]) words[t] = 0; words[t + 32] = 0; __syncthreads(); int* const third = &words[3]; if (t == 2) reinterpret_cast<double*>(a.out)[0] = *reinterpret_cast<double*>(third);),
    FAULTY("asynchronous copy misaligned", 1, 32, AT("misaligned", "0", "3") "read of 16 bytes, in\\[13\\]", SHARED(stage, float4[32]) __pipeline_memcpy_async(&stage[t], a.in + (t == 3 ? 13 : 4 * t), 16);),
    FAULTY("half of a vector", 1, 32, AT("uninitialised", "0", "3") "read of 8 bytes, pairs\\[3\\]", SHARED(pairs, float2[32]) pairs[t].x = 1; if (t != 3) pairs[t].y = 1; __syncwarp(); reinterpret_cast<float2*>(a.in)[t] = pairs[t];),
    FAULTY("null pointer", 1, 1, AT("null pointer", "0", "0") "write of 4 bytes, address 0x0", float* p = a.in[0] > 5 ? a.in : nullptr; *p = 1;),
    FAULTY("host memory", 1, 32, AT("host memory", "0", ANY) "read of 4 bytes, address 0x", a.out[i] = a.host[i];),
    FAULTY("freed memory", 1, 32, AT("freed memory", "0", ANY) "read of 4 bytes, freed\\[\\1\\], which is freed", a.out[i] = a.freed[i];),
    FAULTY("freed memory written", 1, 32, AT("freed memory", "0", ANY) "write of 4 bytes, freed\\[\\1\\], which is freed", a.freed[i] = 1;),
    FAULTY("misaligned vector", 1, 32, AT("misaligned", "0", ANY) "read of 16 bytes, in\\[[0-9]*[159]|[0-9]*[37]\\]", float4 v = *reinterpret_cast<float4*>(a.in + 4 * i + 1); if (v.x > 5) a.out[t] = v.y;),
    FAULTY("misaligned int", 1, 1, AT("misaligned", "0", "0") "write of 4 bytes, bytes\\[1\\]", *reinterpret_cast<int*>(a.bytes + 1) = 1;),
    FAULTY("misaligned and beyond", 1, 1, AT("misaligned", "0", "0") "write of 4 bytes, bytes\\[253\\]", *reinterpret_cast<int*>(a.bytes + 253) = 1;),
    FAULTY("misaligned double", 1, 1, AT("misaligned", "0", "0") "write of 8 bytes, out\\[1\\]", *reinterpret_cast<double*>(a.out + 1) = 1;),
    FAULTY("uninitialised", 1, 32, AT("uninitialised", "0", ANY) "read of 4 bytes, fresh\\[\\1\\], which was never written", a.out[i] = a.fresh[i];),
    FAULTY("uninitialised atomic", 1, 1, AT("uninitialised", "0", "0") "read of 4 bytes, fresh\\[3\\]", atomicAdd(&a.fresh[3], 1.0F);),
    FAULTY("uninitialised partly", 1, 32, AT("uninitialised", "0", "31") "read of 4 bytes, fresh\\[31\\]", if (i < 31) a.fresh[i] = 1; a.out[i] = a.fresh[i];),
    FAULTY("shared beyond", 1, 64, AT("out of bounds", "0", "63") "write of 4 bytes, tile\\[64\\] of shared memory, which has 256 bytes", SHARED(tile, float[64]) tile[t + 1] = a.in[t];),
    FAULTY("shared before", 1, 64, AT("out of bounds", "0", "0") "write of 4 bytes, tile\\[-1\\] of shared memory", SHARED(tile, float[64]) tile[static_cast<int>(t) - 1] = a.in[t];),
    FAULTY("shared beyond, two arrays", 1, 64, AT("out of bounds", "0", "63") "write of 4 bytes, one\\[64\\] of shared memory", SHARED(one, float[64]) SHARED(two, float[64]) one[t + 1] = 1; two[t] = 1;),
    FAULTY("two dimensions", 1, 32, AT("uninitialised", "0", "17") "read of 4 bytes, tile\\[3\\]\\[17\\]", SHARED(tile, float[32][33]) if (t == 17) a.out[i] = tile[3][t];),
    FAULTY("two dimensions beyond", 1, 32, AT("out of bounds", "0", "31") "write of 4 bytes, tile\\[32\\]\\[5\\] of shared memory", SHARED(tile, float[32][33]) tile[t + 1][5] = 1;),
    FAULTY("three dimensions", 1, 32, AT("race", "0", ANY) "write after write, shared box\\[1\\]\\[2\\]\\[[0-3]\\]" WITH(ANY), SHARED(box, float[2][3][4]) box[1][2][t % 4] = 1;),
    FAULTY("member of a structure", 1, 32, AT("out of bounds", "0", "31") "write of 4 bytes, pairs\\[32\\] of shared memory", SHARED(pairs, float2[32]) pairs[t + 1].y = 1;),
    FAULTY("shared uninitialised", 1, 64, AT("uninitialised", "0", ANY) "read of 4 bytes, tile\\[\\1\\]", SHARED(tile, float[64]) a.out[i] = tile[t];),
    FAULTY("shared uninitialised, second block", 2, 32, AT("uninitialised", "1", ANY) "read of 4 bytes, tile\\[\\1\\]", SHARED(tile, float[32]) if (blockIdx.x == 0) tile[t] = 1; a.out[i] = tile[t];),
    FAULTY("reverse without barrier", 1, 64, READ_AND_WRITTEN, SHARED(tile, float[64]) tile[t] = a.in[t]; a.out[i] = tile[63 - t];),
    FAULTY("shared, one cell", 1, 64, AT("race", "0", ANY) "write after write, shared x" WITH(ANY), SHARED(x, float) x = a.in[t];),
    FAULTY("neighbour in shared memory", 1, 64, READ_AND_WRITTEN, SHARED(tile, float[65]) tile[t] = 1; __syncthreads(); if (t < 63) tile[t] = tile[t + 1];),
    FAULTY("histogram without atomics", 1, 64, AT("race", "0", ANY) "(read|write) after (read|write), counts\\[[0-7]\\]" WITH(ANY), a.counts[t % 8] += 1;),
    FAULTY("sum into one", 1, 64, AT("race", "0", ANY) "(read|write) after (read|write), out\\[0\\]" WITH(ANY), a.out[0] += a.in[i];),
    FAULTY("two blocks, one cell", 4, 1, AT("race", "[0-3]", "0") "write after write, out\\[7\\]" WITH_BLOCK("[0-3]", "0"), a.out[7] = 1;),
    FAULTY("block reads another's result", 2, 32, AT("race", "[01]", ANY) "(read after write|write after read), out\\[[0-9]+\\]" WITH_BLOCK("[01]", ANY), a.out[i] = 1; __syncthreads(); a.in[i] = a.out[63 - i];),
    FAULTY("atomic and plain write", 1, 64, "race at FILE:LINE: kernel kernel, block \\(0, 0, 0\\), thread \\((0, .*with thread \\([0-9]+|[0-9]+, .*with thread \\(0), 0, 0\\) at FILE:LINE", if (t == 0) a.counts[0] = 0; atomicAdd(&a.counts[0], 1);),
    FAULTY("atomic and plain read", 1, 64, AT("race", "0", ANY) "(read after write|write after read), counts\\[0\\]" WITH(ANY), atomicAdd(&a.counts[0], 1); a.out[t] = static_cast<float>(a.counts[0]);),
    FAULTY("maximum by an exchange", 2, 1, AT("race", "[01]", "0") "(read after write|write after read), out\\[0\\]" WITH_BLOCK("[01]", "0"), atomicExch(&a.out[0], fmaxf(a.out[0], static_cast<float>(blockIdx.x)));),
    FAULTY("limit tested before an addition", 2, 1, AT("race", "[01]", "0") "(read after write|write after read), counts\\[0\\]" WITH_BLOCK("[01]", "0"), if (a.counts[0] < 1) atomicAdd(&a.counts[0], 1);),
    FAULTY("bytes", 1, 64, AT("race", "0", ANY) "write after write, bytes\\[[0-9]+\\]" WITH(ANY), a.bytes[t / 2] = 1;),
    FAULTY("maximum without a barrier before its use", 1, 64, AT("race", "0", ANY) "(read after write|write after read), counts\\[0\\]" WITH(ANY), atomicMax(&a.counts[0], static_cast<int>(t)); a.out[t] = static_cast<float>(a.counts[0]);),
    FAULTY("flag without fence", 2, 1, AT("race", "[01]", "0") "(read after write|write after read), out\\[0\\]" WITH_BLOCK("[01]", "0"), if (blockIdx.x == 0) a.out[0] = 1; atomicAdd(&a.counts[0], 1); if (blockIdx.x == 1) a.in[0] = a.out[0];),
    FAULTY("warp without __syncwarp", 1, 32, READ_AND_WRITTEN, SHARED(tile, float[64]) tile[t] = 1; tile[t + 32] = 1; __syncwarp(); tile[t] += tile[t + 16]; tile[t] += tile[t + 8];),
    FAULTY("divergent barrier", 1, 256, AT("divergent barrier", "0", "[0-9]|[0-9][0-9]") "100 of 256 threads reach __syncthreads; thread \\([12]..?, 0, 0\\) has ended", if (t < 100) __syncthreads();),
    FAULTY("early return", 1, 64, AT("divergent barrier", "0", "[0-9]|[0-5][0-9]") "60 of 64 threads reach __syncthreads; thread \\(6[0-3], 0, 0\\) has ended", if (t >= 60) return; a.out[i] = 1; __syncthreads();),
    {"two barriers", [](Arguments) {
       if (threadIdx.x % 2 == 0) {
         __syncthreads();
       } else {
         __syncthreads();
       }
     }, 1, 64, "two different barriers at FILE:[0-9]+: .*waits at .*faulty_kernels.cpp:[0-9]+", __LINE__, 0},
    FAULTY("missing lane", 1, 32, "block \\(0, 0, 0\\), thread \\(([0-9]|1[0-5]), 0, 0\\): deadlock: a shuffle with mask 0xffffffff at FILE:LINE: lane (1[6-9]|2.|3[01]) \\(thread \\(\\2, 0, 0\\)\\) does not take part: it waits at FILE:LINE", if (t < 16) a.out[t] = __shfl_down_sync(0xffffffffU, a.in[t], 1); __syncthreads();),
    FAULTY("lane not in its mask", 1, 32, "wrong mask at FILE:LINE: kernel kernel, block \\(0, 0, 0\\), thread \\((1[6-9]|2.|3[01]), 0, 0\\) calls a shuffle with mask 0x0000ffff, which lacks its own lane \\1", a.out[t] = __shfl_xor_sync(0x0000ffffU, a.in[t], 1);),
    FAULTY("shuffle from an ended lane", 1, 32, "missing lane at FILE:LINE: kernel kernel, block \\(0, 0, 0\\), thread \\([0-9]+, 0, 0\\) reads lane 31", if (t == 31) return; a.out[t] = __shfl_sync(0x7fffffffU, a.in[t], 31);),
    FAULTY("vote without all lanes", 1, 64, "block \\(0, 0, 0\\), thread \\(3[2-9], 0, 0\\): deadlock: a vote with mask 0xffffffff at FILE:LINE: lane ([89]|1.|2.|3[01]) \\(thread \\([456]., 0, 0\\)\\) does not take part: it waits at FILE:LINE", if (t < 40) a.out[t] = static_cast<float>(__ballot_sync(0xffffffffU, 1)); __syncthreads();),
    FAULTY_WITH(256, "dynamic shared beyond", 1, 32, AT("out of bounds", "0", "31") "write of 4 bytes, s\\[64\\] of shared memory, which has 256 bytes", float* s = dynamic_shared<float>("s"); int* second = reinterpret_cast<int*>(s + 32); second[t + 1] = 1;),
    FAULTY_WITH(256, "dynamic shared parts overlap", 1, 32, AT("race", "0", ANY) "write after write, shared s\\[(1[6-9]|2.|3[01])\\]" WITH(ANY), float* s = dynamic_shared<float>("s"); float* second = s + 16; s[t] = 1; second[t] = 2;),
    FAULTY_WITH(0, "no dynamic shared memory", 1, 32, "at FILE:LINE: kernel kernel, block \\(0, 0, 0\\), thread \\(", float* s = dynamic_shared<float>("s"); s[t] = 1;),
    FAULTY("race through a member", 1, 64, AT("race", "0", ANY) "(read|write) after (read|write), shared one" WITH(ANY), SHARED(one, Particle) one.cell += 1;),
    FAULTY("race through a member of an array", 1, 64, AT("race", "0", ANY) "write after write, shared all_of\\[3\\]" WITH(ANY), SHARED(all_of, Particle[8]) all_of[3].position[1] = a.in[t];),
    FAULTY("equal values", 1, 64, AT("race", "0", ANY) "write after write, counts\\[0\\]" WITH(ANY), if (a.in[t] >= 0) a.counts[0] = 1;),
    FAULTY("two warps", 1, 64, AT("race", "0", "0|40") "(read after write|write after read), shared tile\\[0\\]" WITH("0|40"), SHARED(tile, float[1]) if (t == 0) tile[0] = 1; if (t == 40) a.out[0] = tile[0];),
    FAULTY("sums of warps without barrier", 1, 128, AT("race", "0", ANY) ".*sums\\[[0-3]\\]", SHARED(sums, float[4]) if (t < 4) sums[t] = 0; __syncthreads(); if (t % 32 == 0) sums[t / 32] = 1; if (t == 0) { float all_sums = 0; for (float each : sums) all_sums += each; a.out[0] = all_sums; }),
    FAULTY("no barrier at the end of a loop", 1, 64, AT("race", "0", ANY) "(read after write|write after read), shared tile\\[[0-9]+\\]" WITH(ANY), SHARED(tile, float[64]) for (int k = 0; k < 4; ++k) { tile[t] = a.in[t]; __syncthreads(); a.out[t] += tile[63 - t]; }),
    FAULTY("no barrier in a scan", 1, 64, AT("race", "0", ANY) "(read after write|write after read), shared tile\\[[0-9]+\\]" WITH(ANY), SHARED(tile, float[64]) tile[t] = 1; __syncthreads(); for (unsigned k = 1; k < 64; k *= 2) { const float before = t >= k ? tile[t - k] : 0; tile[t] += before; __syncthreads(); }),
    FAULTY("transpose without barrier", 1, dim3(16, 16), AT3("race", ANY) "(read after write|write after read), shared tile\\[[0-9]+\\]\\[[0-9]+\\], with thread \\([0-9]+, [0-9]+, 0\\) at FILE:LINE", SHARED(tile, float[16][16]) tile[threadIdx.y][threadIdx.x] = 1; a.out[threadIdx.y * 16 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];),
    FAULTY("vector over its neighbour", 1, 32, AT("race", "0", ANY) "write after write, out\\[[0-9]+\\]" WITH(ANY), float4 v; v.x = v.y = v.z = v.w = 1; reinterpret_cast<float4*>(a.out)[t] = v; a.out[4 * t + 7] = 1;),
    FAULTY("shared atomic and initial value", 1, 64, "race at FILE:LINE: kernel kernel, block \\(0, 0, 0\\), thread \\(.*(read|write) after (read|write), shared sum", SHARED(sum, int) if (t == 0) sum = 0; atomicAdd(&sum, 1);),
    FAULTY("shared atomic and plain read", 1, 64, AT("race", "0", ANY) "(read after write|write after read), shared sum" WITH(ANY), SHARED(sum, int) if (t == 0) sum = 0; __syncthreads(); atomicAdd(&sum, 1); a.counts[t] = sum;),
    FAULTY("misaligned atomic", 1, 1, AT("misaligned", "0", "0") "atomic access of 4 bytes, bytes\\[2\\]", atomicAdd(reinterpret_cast<int*>(a.bytes + 2), 1);),
    FAULTY("atomic on shared memory beyond", 1, 32, AT("out of bounds", "0", "31") "atomic access of 4 bytes, bins\\[32\\] of shared memory", SHARED(bins, int[32]) bins[t] = 0; __syncthreads(); atomicAdd(&bins[t + 1], 1);),
    FAULTY("null atomic", 1, 1, AT("null pointer", "0", "0") "atomic access of 4 bytes", atomicAdd(a.in[0] > 5 ? a.counts : nullptr, 1);),
    FAULTY("different numbers of barriers", 1, 64, AT("divergent barrier", "0", ANY) "32 of 64 threads reach __syncthreads", for (unsigned k = 0; k <= t / 32; ++k) __syncthreads();),
    FAULTY("barrier with a count in a branch", 1, 64, AT("divergent barrier", "0", ANY) "10 of 64 threads reach __syncthreads", if (t < 10) a.counts[t] = __syncthreads_count(1);),
    FAULTY("half a warp shuffles", 1, 32, "missing lane at FILE:LINE: kernel kernel, block \\(0, 0, 0\\), thread \\((8|9|1[0-5]), 0, 0\\) reads lane (1[6-9]|2[0-3])", float v = a.in[t]; if (t < 16) v += __shfl_down_sync(0xffffffffU, v, 8); a.out[t] = v;),
    FAULTY("shuffle from an inactive lane", 1, 32, "missing lane at FILE:LINE: kernel kernel, block \\(0, 0, 0\\), thread \\([0-9]*[02468], 0, 0\\) reads lane 5", if (t % 2 == 0) a.out[t] = __shfl_sync(0x55555555U, a.in[t], 5);),
    FAULTY("copy beyond", 1, 1, AT("out of bounds", "0", "0") "write of 64 bytes, out\\[250\\]", std::memcpy(a.out + 250, a.in, 64);),
    FAULTY("copy from a fresh array", 1, 1, AT("uninitialised", "0", "0") "read of [0-9]+ bytes, fresh\\[8\\]", std::memcpy(a.out, a.fresh + 8, 64);),
    FAULTY("fresh double", 1, 32, AT("uninitialised", "0", ANY) "read of 8 bytes, fresh\\[[0-9]*[02468]\\]", a.out[t] = static_cast<float>(reinterpret_cast<double*>(a.fresh)[t]);),
    FAULTY("fresh in a wide array", 1, 64, AT("uninitialised", "0", "63") "read of 4 bytes, tile\\[1\\]\\[31\\]", SHARED(tile, float[2][32]) if (t < 63) tile[t / 32][t % 32] = 1; __syncthreads(); a.out[t] = tile[t / 32][t % 32];),
    FAULTY("byte of an int array beyond", 1, 1, AT("out of bounds", "0", "0") "write of 1 bytes, counts\\[64\\]", reinterpret_cast<unsigned char*>(a.counts)[256] = 1;),
    FAULTY("byte of a shared int", 1, 64, AT("race", "0", ANY) "write after write, shared words\\[2\\]" WITH(ANY), SHARED(words, int[4]) reinterpret_cast<unsigned char*>(words)[9] = 1;),
    FAULTY("very far", 1, 1, AT("out of bounds", "0", "0") "write of 4 bytes, bytes\\[[0-9]+\\]", a.out[1000000] = 1;),
    FAULTY("negative", 1, 32, AT("out of bounds", "0", ANY) "read of 4 bytes, in\\[-[0-9]+\\]", a.out[t] = a.in[static_cast<int>(t) - 5000];),
    FAULTY("signed overflow of an index", 1, 1, AT("[a-z ]+", "0", "0") "read of 4 bytes, ", a.out[t] = a.in[-(1 << 29)];),
    FAULTY("member of a view", 1, 1, AT("out of bounds", "0", "0") "write of 4 bytes, in\\[256\\]|FILE:[0-9]+: kernel kernel, block \\(0, 0, 0\\), thread \\(0, 0, 0\\): write of 4 bytes, in\\[256\\]", store_all({a.in, 257}, 1);),
#ifndef __clang__  // it does not optimise, so that the access is in a function of the library
    {"atomic in a function", [](Arguments a) { count_one(a.counts, threadIdx.x); }, 1, 65, "out of bounds at FILE:LINE: kernel kernel, block \\(0, 0, 0\\), thread \\(64, 0, 0\\): atomic access of 4 bytes, counts\\[64\\]", line_of_count, 0},
#endif
    {"in a function", [](Arguments a) { a.out[threadIdx.x] = load({a.in, 256}, static_cast<int>(threadIdx.x) + 200); }, 1, 64, "out of bounds at FILE:LINE: kernel kernel, block \\(0, 0, 0\\), thread \\((5[6-9]|6[0-3]), 0, 0\\): read of 4 bytes, in\\[2[5-9].\\]", line_of_load, 0},
    {"races name both lines", [](Arguments a) {
       if (threadIdx.x == 0) a.out[9] = 1;
       if (threadIdx.x == 33) a.out[8] = a.out[9];
     }, 1, 64, "race at FILE:(LINE-2: kernel kernel, block \\(0, 0, 0\\), thread \\(0, 0, 0\\): write after read, out\\[9\\], with thread \\(33, 0, 0\\) at FILE:LINE-1|LINE-1: kernel kernel, block \\(0, 0, 0\\), thread \\(33, 0, 0\\): read after write, out\\[9\\], with thread \\(0, 0, 0\\) at FILE:LINE-2)", __LINE__, 0},
    {"local variable of another thread", [](Arguments) {
       D2L_TEST_SHARED(pointers, int*[32]);
       int own = static_cast<int>(threadIdx.x);
       pointers[threadIdx.x] = &own;
       __syncthreads();
       *pointers[31 - threadIdx.x] += 1;
       __syncthreads();
     }, 1, 32, "local memory at FILE:LINE-2: kernel kernel, block \\(0, 0, 0\\), thread \\([0-9]+, 0, 0\\): (read|write) of 4 bytes, a local variable of thread \\([0-9]+, 0, 0\\)", __LINE__, 0},
    FAULTY("a large local array", 1, 1, "block \\(0, 0, 0\\), thread \\(0, 0, 0\\): the stack overflowed", volatile int local[100000]; local[t] = 1; a.counts[0] = local[t];),
    FAULTY("assert", 1, 32, "block \\(0, 0, 0\\), thread \\(7, 0, 0\\): FILE:LINE: .*assertion `t != 7` failed", assert(t != 7);),
#ifdef D2L_CHECKS_INDICES
    FAULTY("index beyond a local array", 1, 32, AT("out of bounds", "0", "8|9|[12][0-9]|3[01]") "index ([89]|[123][0-9]) of an array of type int ?\\[8\\]", int local[8] = {}; local[t] = 1; a.counts[t] = local[(t + 1) % 8];),
    FAULTY("negative index of a local array", 1, 1, AT("out of bounds", "0", "0") "index -1 of an array of type float ?\\[4\\]", float local[4] = {1, 2, 3, 4}; a.out[t] = local[a.counts[0] - 1];),
    FAULTY("last index of two", 1, 1, AT("out of bounds", "0", "0") "index 3 of an array of type int ?\\[3\\]", int local[4][3] = {}; local[1][a.counts[0] + 3] = 1; a.counts[1] = local[2][0];),
    FAULTY("one too many in a loop", 1, 1, AT("out of bounds", "0", "0") "index 8 of an array of type int ?\\[8\\]", int local[8] = {}; int sum = 0; for (int k = 0; k <= 8 + a.counts[0]; ++k) { sum += local[k]; } a.counts[1] = sum;),
    FAULTY("index of a member", 1, 1, AT("out of bounds", "0", "0") "index 3 of an array of type float ?\\[3\\]", Particle particle{{1, 2, 3}, 4}; a.out[0] = particle.position[a.counts[0] + 3];),
#endif
    FAULTY("large tile without its barrier", 1, 128, AT("race", "0", ANY) "(read after write|write after read), shared x", SHARED(x, float[128]) x[t] = a.in[t]; a.out[t] = x[t ^ 33U];),
    FAULTY("large tile of which a thread has ended", 1, 64, "a tile of 64 threads waits at FILE:LINE for thread \\(5, 0, 0\\), which has ended", if (t != 5) cooperative_groups::tiled_partition<64>(cooperative_groups::this_thread_block()).sync();),
    FAULTY("barrier of the grid in an ordinary launch", 2, 32, "block \\([01], 0, 0\\), thread \\([0-9]+, 0, 0\\): grid.sync\\(\\) in an ordinary launch: use cudaLaunchCooperativeKernel at FILE:LINE", cooperative_groups::this_grid().sync();),
    FAULTY("trap", 1, 32, "block \\(0, 0, 0\\), thread \\(5, 0, 0\\): __trap", if (t == 5) __trap();),
    FAULTY("trap of the compiler", 1, 32, "block \\(0, 0, 0\\), thread \\(5, 0, 0\\): an illegal instruction", if (t == 5) __builtin_trap();),
    FAULTY("division by zero", 1, 1, "block \\(0, 0, 0\\), thread \\(0, 0, 0\\): integer division by zero", a.counts[1] = 7 / a.counts[0];),
    FAULTY("endless recursion", 1, 1, "block \\(0, 0, 0\\), thread \\(0, 0, 0\\): the stack overflowed", a.counts[0] = recurse(1);),
    FAULTY("recursion with large frames", 1, 1, "block \\(0, 0, 0\\), thread \\(0, 0, 0\\): the stack overflowed", a.counts[0] = recurse_in_large_steps(1);),
};
// clang-format on

}  // namespace

const std::vector<Planted>& faulty_kernels() { return all; }

}  // namespace d2l::emulator::testing
