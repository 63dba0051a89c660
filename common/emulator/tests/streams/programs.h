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
inline void tell(const char* word, const char* file, int line) {
  const char* const slash = std::strrchr(file, '/');
  std::printf("%s %s:%d\n", word, slash == nullptr ? file : slash + 1, line);
}
#define EARLIER tell("earlier", __FILE__, __LINE__ + 1)
#define LATER tell("later", __FILE__, __LINE__ + 1)

#define REQUIRE(condition)                                                           \
  do {                                                                               \
    if (!(condition)) {                                                              \
      std::fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
      std::exit(3);                                                                  \
    }                                                                                \
  } while (0)

constexpr int n = 1024;
constexpr int bytes = n * sizeof(int);

static __global__ void fill(int* out, int value) { out[blockIdx.x * blockDim.x + threadIdx.x] = value; }
static __global__ void copy(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}
static __global__ void increment(int* x) { x[blockIdx.x * blockDim.x + threadIdx.x] += 1; }
static __global__ void count(int* total) { atomicAdd(total, 1); }
static __global__ void fill_half(int* out, int half) { out[half * n / 2 + threadIdx.x] = half; }

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
