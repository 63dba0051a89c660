// SPDX-License-Identifier: MIT
// Kernels with one fault each. Compiled with the instrumentation.
#include <cassert>

#include "checks_kernels.h"
#include "kernels.h"

namespace d2l::emulator::testing {
namespace {

int recurse(int depth) {
  volatile int local[64];
  local[depth % 64] = depth;
  return depth < 0 ? 0 : recurse(depth + 1) + local[(depth + 1) % 64];
}

// Each entry: FAULTY(name, grid, block, report, body); `a` are the arguments, `i` the global index, `t` the thread's.
// The body must be on the line of its FAULTY().
#define FAULTY(NAME, GRID, BLOCK, REPORT, ...)            \
  {                                                       \
    NAME,                                                 \
        [](Arguments a) {                                 \
          const unsigned t = threadIdx.x;                 \
          const unsigned i = blockIdx.x * blockDim.x + t; \
          static_cast<void>(a);                           \
          static_cast<void>(i);                           \
          __VA_ARGS__                                     \
        },                                                \
        GRID, BLOCK, REPORT, __LINE__, 0                  \
  }
#define SHARED(name, ...) D2L_TEST_SHARED(name, __VA_ARGS__);

// The body of each kernel is on the line of its name.
// clang-format off
const std::vector<Planted> all{
    FAULTY("no guard", 2, 160, "out of bounds at FILE:LINE: .*block \\(1, 0, 0\\), thread .*write of 4 bytes, out\\[(25[6-9]|2[6-9].|3..)\\]", a.out[i] = 1;),
    FAULTY("read beyond", 1, 256, "out of bounds at FILE:LINE: .*thread \\(255, 0, 0\\): read of 4 bytes, in\\[256\\]", a.out[i] = a.in[i + 1];),
    FAULTY("read before", 1, 256, "out of bounds at FILE:LINE: .*thread \\(0, 0, 0\\): read of 4 bytes, in\\[-1\\]", a.out[i] = a.in[static_cast<int>(i) - 1];),
    FAULTY("far beyond", 1, 1, "out of bounds at FILE:LINE: .*out\\[5000\\]", a.out[5000] = 1;),
    FAULTY("byte beyond", 1, 257, "out of bounds at FILE:LINE: .*thread \\(256, 0, 0\\): write of 1 bytes, bytes\\[256\\]", a.bytes[i] = 1;),
    FAULTY("atomic beyond", 1, 65, "out of bounds at FILE:LINE: .*thread \\(64, 0, 0\\): atomic access of 4 bytes, counts\\[64\\]", atomicAdd(&a.counts[i], 1);),
    FAULTY("vector beyond", 1, 65, "out of bounds at FILE:LINE: .*thread \\(64, 0, 0\\): read of 16 bytes, in\\[64\\]", float4 v = reinterpret_cast<float4*>(a.in)[i]; if (v.x > 5) a.out[t] = v.y;),
    FAULTY("null pointer", 1, 1, "null pointer at FILE:LINE: .*write of 4 bytes", float* p = a.in[0] > 5 ? a.in : nullptr; *p = 1;),
    FAULTY("host memory", 1, 32, "host memory at FILE:LINE: .*read of 4 bytes", a.out[i] = a.host[i];),
    FAULTY("freed memory", 1, 32, "freed memory at FILE:LINE: .*read of 4 bytes, freed\\[.*which is freed", a.out[i] = a.freed[i];),
    FAULTY("freed memory written", 1, 32, "freed memory at FILE:LINE: .*write of 4 bytes, freed\\[", a.freed[i] = 1;),
    FAULTY("misaligned vector", 1, 32, "misaligned at FILE:LINE: .*read of 16 bytes, in\\[", float4 v = *reinterpret_cast<float4*>(a.in + 4 * i + 1); if (v.x > 5) a.out[t] = v.y;),
    FAULTY("misaligned int", 1, 1, "misaligned at FILE:LINE: .*write of 4 bytes, bytes\\[", *reinterpret_cast<int*>(a.bytes + 1) = 1;),
    FAULTY("misaligned double", 1, 1, "misaligned at FILE:LINE: .*write of 8 bytes, out\\[", *reinterpret_cast<double*>(a.out + 1) = 1;),
    FAULTY("uninitialised", 1, 32, "uninitialised at FILE:LINE: .*read of 4 bytes, fresh\\[", a.out[i] = a.fresh[i];),
    FAULTY("uninitialised atomic", 1, 1, "uninitialised at FILE:LINE: .*fresh\\[3\\]", atomicAdd(&a.fresh[3], 1.0F);),
    FAULTY("uninitialised partly", 1, 32, "uninitialised at FILE:LINE: .*thread \\(31, 0, 0\\).*fresh\\[31\\]", if (i < 31) a.fresh[i] = 1; a.out[i] = a.fresh[i];),
    FAULTY("shared beyond", 1, 64, "out of bounds at FILE:LINE: .*thread \\(63, 0, 0\\): write of 4 bytes, tile\\[64\\] of shared", SHARED(tile, float[64]) tile[t + 1] = a.in[t];),
    FAULTY("shared before", 1, 64, "out of bounds at FILE:LINE: .*thread \\(0, 0, 0\\): write of 4 bytes, tile\\[-1\\] of shared", SHARED(tile, float[64]) tile[static_cast<int>(t) - 1] = a.in[t];),
    FAULTY("shared beyond, two arrays", 1, 64, "out of bounds at FILE:LINE: .*thread \\(63, 0, 0\\).*(one|two)\\[", SHARED(one, float[64]) SHARED(two, float[64]) one[t + 1] = 1; two[t] = 1;),
    FAULTY("shared uninitialised", 1, 64, "uninitialised at FILE:LINE: .*tile\\[", SHARED(tile, float[64]) a.out[i] = tile[t];),
    FAULTY("shared uninitialised, second block", 2, 32, "uninitialised at FILE:LINE: .*tile\\[", SHARED(tile, float[32]) if (blockIdx.x == 0) tile[t] = 1; a.out[i] = tile[t];),
    FAULTY("reverse without barrier", 1, 64, "race at FILE:LINE: .*shared tile\\[.*with thread \\(", SHARED(tile, float[64]) tile[t] = a.in[t]; a.out[i] = tile[63 - t];),
    FAULTY("shared, one cell", 1, 64, "race at FILE:LINE: .*write after write, shared x\\[0\\], with thread", SHARED(x, float) x = a.in[t];),
    FAULTY("neighbour in shared memory", 1, 64, "race at FILE:LINE: .*shared tile\\[", SHARED(tile, float[65]) tile[t] = 1; __syncthreads(); if (t < 63) tile[t] = tile[t + 1];),
    FAULTY("histogram without atomics", 1, 64, "race at FILE:LINE: .*(after write|after read), counts\\[", a.counts[t % 8] += 1;),
    FAULTY("sum into one", 1, 64, "race at FILE:LINE: .*out\\[0\\], with thread", a.out[0] += a.in[i];),
    FAULTY("two blocks, one cell", 4, 1, "race at FILE:LINE: .*write after write, out\\[7\\], with block", a.out[7] = 1;),
    FAULTY("block reads another's result", 2, 32, "race at FILE:LINE: .*out\\[.*with block", a.out[i] = 1; __syncthreads(); a.in[i] = a.out[63 - i];),
    FAULTY("atomic and plain write", 1, 64, "race at FILE:LINE: .*counts\\[0\\], with thread", if (t == 0) a.counts[0] = 0; atomicAdd(&a.counts[0], 1);),
    FAULTY("atomic and plain read", 1, 64, "race at FILE:LINE: .*counts\\[0\\], with thread", atomicAdd(&a.counts[0], 1); a.out[t] = static_cast<float>(a.counts[0]);),
    FAULTY("bytes", 1, 64, "race at FILE:LINE: .*bytes\\[", a.bytes[t / 2] = 1;),
    FAULTY("flag without fence", 2, 1, "race at FILE:LINE: .*out\\[0\\], with block", if (blockIdx.x == 0) a.out[0] = 1; atomicAdd(&a.counts[0], 1); if (blockIdx.x == 1) a.in[0] = a.out[0];),
    FAULTY("warp without __syncwarp", 1, 32, "race at FILE:LINE: .*shared tile\\[", SHARED(tile, float[64]) tile[t] = 1; tile[t + 32] = 1; __syncwarp(); tile[t] += tile[t + 16]; tile[t] += tile[t + 8];),
    FAULTY("divergent barrier", 1, 256, "divergent barrier at FILE:LINE: .*100 of 256 threads reach __syncthreads", if (t < 100) __syncthreads();),
    FAULTY("early return", 1, 64, "divergent barrier at FILE:LINE: .*60 of 64 threads", if (t >= 60) return; a.out[i] = 1; __syncthreads();),
    {"two barriers", [](Arguments) {
       if (threadIdx.x % 2 == 0) {
         __syncthreads();
       } else {
         __syncthreads();
       }
     }, 1, 64, "two different barriers at FILE:[0-9]+: .*waits at .*faulty_kernels.cpp:[0-9]+", __LINE__, 0},
    FAULTY("missing lane", 1, 32, "deadlock: a shuffle with mask 0xffffffff at .*FILE:LINE: lane [0-9]+ .*does not take part: it waits", if (t < 16) a.out[t] = __shfl_down_sync(0xffffffffU, a.in[t], 1); __syncthreads();),
    FAULTY("lane not in its mask", 1, 32, "wrong mask at .*FILE:LINE: .*lacks its own lane", a.out[t] = __shfl_xor_sync(0x0000ffffU, a.in[t], 1);),
    FAULTY("shuffle from an ended lane", 1, 32, "missing lane at .*FILE:LINE: .*reads lane 31", if (t == 31) return; a.out[t] = __shfl_sync(0x7fffffffU, a.in[t], 31);),
    FAULTY("vote without all lanes", 1, 64, "deadlock: a vote .*FILE:LINE: lane", if (t < 40) a.out[t] = static_cast<float>(__ballot_sync(0xffffffffU, 1)); __syncthreads();),
    FAULTY("assert", 1, 32, "FILE:LINE: .*assertion `t != 7' failed|FILE:LINE: .*assertion `t != 7`", assert(t != 7);),
    FAULTY("trap", 1, 32, "thread \\(5, 0, 0\\): __trap", if (t == 5) __trap();),
    FAULTY("division by zero", 1, 1, "integer division by zero", a.counts[1] = 7 / a.counts[0];),
    FAULTY("endless recursion", 1, 1, "stack overflowed", a.counts[0] = recurse(1);),
};
// clang-format on

}  // namespace

const std::vector<Planted>& faulty_kernels() { return all; }

}  // namespace d2l::emulator::testing
