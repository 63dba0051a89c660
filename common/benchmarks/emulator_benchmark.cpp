// SPDX-License-Identifier: MIT
// The speed of the CUDA emulator on one core: NAME/LEVEL, where level 0 runs kernels without checks, 1 with all checks,
// 2 with the checks and the counts. The times are those of the processor.
#include <benchmark/benchmark.h>

#include "device.h"
#include "emulator_kernels.h"
#include "fastest.h"

namespace {

constexpr int max_elements = 256000;

template <class... Arguments>
void measure(benchmark::State& state, dim3 grid, dim3 block, void (*kernel)(Arguments...), int n = 0) {
  d2l::emulator::testing::Device device;
  device.seed = 1;
  device.checked = state.range(0) > 0;
  device.counted = state.range(0) > 1;
  auto* const in = device.buffer<float>("in", max_elements);
  auto* const other = device.buffer<float>("other", max_elements);
  auto* const out = device.buffer<float>("out", max_elements);
  for (auto _ : state) {
    d2l::emulator::KernelOutcome outcome;
    if constexpr (sizeof...(Arguments) == 2) {
      outcome = device.run(grid, block, kernel, in, out);
    } else {
      outcome = device.run(grid, block, kernel, in, other, out, n);
    }
    if (outcome.fault) state.SkipWithError(outcome.fault->text.c_str());
  }
}

void two_barriers(benchmark::State& state) { measure(state, 1000, 256, reverse_twice); }
void no_barrier(benchmark::State& state) { measure(state, 1000, 256, add, max_elements); }
void tiled_product(benchmark::State& state) { measure(state, dim3(16, 16), dim3(16, 16), product, 256); }

BENCHMARK(two_barriers)->DenseRange(0, 2)->Unit(benchmark::kMillisecond)->ComputeStatistics("fastest", fastest);
BENCHMARK(no_barrier)->DenseRange(0, 2)->Unit(benchmark::kMillisecond)->ComputeStatistics("fastest", fastest);
BENCHMARK(tiled_product)->DenseRange(0, 2)->Unit(benchmark::kMillisecond)->ComputeStatistics("fastest", fastest);

}  // namespace

BENCHMARK_MAIN();
