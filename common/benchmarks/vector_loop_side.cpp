// SPDX-License-Identifier: MIT
// A vector loop compiled for this machine: the highest speed of an addition in cache.
#include <cstdlib>
#include <cstring>
#include <memory>

#include "side.h"

namespace {

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};
using Floats = std::unique_ptr<float[], Free>;

Floats floats(std::int64_t n, float value) {
  const auto bytes = (static_cast<std::size_t>(n) * sizeof(float) + 63) / 64 * 64;
  Floats result(static_cast<float*>(std::aligned_alloc(64, bytes)));
  for (std::int64_t i = 0; i < n; ++i) result[static_cast<std::size_t>(i)] = value;
  return result;
}

struct Loop {
  std::int64_t n;
  Floats a, b, c;
};

__attribute__((noinline)) void add(float* __restrict__ c, const float* __restrict__ a, const float* __restrict__ b,
                                   std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) c[i] = a[i] + b[i];
}

void* prepare(const char* work, std::int64_t n) {
  if (std::strcmp(work, "add") != 0) return nullptr;
  return new Loop{n, floats(n, 1), floats(n, 2), floats(n, 0)};
}
void run(void* state) {
  const auto* loop = static_cast<Loop*>(state);
  add(loop->c.get(), loop->a.get(), loop->b.get(), loop->n);
}
void finish(void* state) { delete static_cast<Loop*>(state); }
void set_threads(int) {}

}  // namespace

const d2l::benchmarks::Side* vector_loop_side() {
  static constexpr d2l::benchmarks::Side side{"vector_loop", set_threads, prepare, run, finish};
  return &side;
}
