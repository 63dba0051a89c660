// SPDX-License-Identifier: MIT
// What the tables of small programs with streams share: each program is a function, which a process of its own runs.
// The lines of the two operations that a report must name are the lines after EARLIER and LATER, which print them.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

struct Program {
  const char* name;
  const char* report;  // a regular expression; empty for a right program
  void (*run)();
};

inline std::vector<Program>& programs() {
  static std::vector<Program> all;
  return all;
}

struct Registered {
  Registered(const char* name, const char* report, void (*run)()) { programs().push_back({name, report, run}); }
};

#define PROGRAM(NAME, REPORT)                                     \
  static void NAME();                                             \
  static const Registered registered_##NAME{#NAME, REPORT, NAME}; \
  static void NAME()
#define EARLIER std::printf("earlier %d\n", __LINE__ + 1)
#define LATER std::printf("later %d\n", __LINE__ + 1)

#define REQUIRE(condition)                                                           \
  do {                                                                               \
    if (!(condition)) {                                                              \
      std::fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
      std::exit(3);                                                                  \
    }                                                                                \
  } while (0)

constexpr int n = 1024;
constexpr int bytes = n * sizeof(int);

__global__ void fill(int* out, int value) { out[blockIdx.x * blockDim.x + threadIdx.x] = value; }
__global__ void copy(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}
__global__ void increment(int* x) { x[blockIdx.x * blockDim.x + threadIdx.x] += 1; }
__global__ void count(int* total) { atomicAdd(total, 1); }
__global__ void fill_half(int* out, int half) { out[half * n / 2 + threadIdx.x] = half; }

template <class T = int>
T* device_memory(int count = n) {
  T* x = nullptr;
  cudaMalloc(&x, count * sizeof(T));
  cudaMemset(x, 0, count * sizeof(T));
  cudaDeviceSynchronize();
  return x;
}
inline int* managed_memory() {
  int* x = nullptr;
  cudaMallocManaged(&x, bytes);
  std::memset(x, 0, bytes);
  return x;
}
inline int* pinned_memory() {
  int* x = nullptr;
  cudaMallocHost(&x, bytes);
  std::memset(x, 0, bytes);
  return x;
}
inline cudaStream_t stream(unsigned flags = cudaStreamNonBlocking) {
  cudaStream_t s;
  cudaStreamCreateWithFlags(&s, flags);
  return s;
}
inline cudaEvent_t recorded(cudaStream_t s) {
  cudaEvent_t e;
  cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
  cudaEventRecord(e, s);
  return e;
}
/// The second stream waits for what the first has to do now.
inline void order(cudaStream_t first, cudaStream_t second) { cudaStreamWaitEvent(second, recorded(first), 0); }

/// Without an argument: the names and the reports. With a name: runs that program.
inline int run_programs(int count, char** arguments) {
  for (const Program& one : programs()) {
    if (count < 2) {
      std::printf("%s\t%s\n", one.name, one.report);
    } else if (std::strcmp(arguments[1], one.name) == 0) {
      one.run();
      return 0;
    }
  }
  return count < 2 ? 0 : 3;
}
