// SPDX-License-Identifier: MIT
// The speed of the CUDA emulator on one core: NAME/LEVEL, where level 0 runs kernels without checks, 1 with all checks,
// 2 with the checks and the counts. The times are those of the processor. NAME/loop is a plain loop of the host, and
// NAME/threads the kernel that does the same, without instrumentation; cores/N is a kernel on N cores.
#include <benchmark/benchmark.h>

#include <functional>
#include <utility>
#include <vector>

#include "device.h"
#include "emulator_kernels.h"
#include "emulator_loops.h"
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
void divergent_lanes(benchmark::State& state) { measure(state, 250, 256, divergent); }
void no_barrier(benchmark::State& state) { measure(state, 1000, 256, add, max_elements); }
void tiled_product(benchmark::State& state) { measure(state, dim3(16, 16), dim3(16, 16), product, 256); }

BENCHMARK(two_barriers)->DenseRange(0, 2)->Unit(benchmark::kMillisecond)->ComputeStatistics("fastest", fastest);
BENCHMARK(divergent_lanes)->DenseRange(0, 2)->Unit(benchmark::kMillisecond)->ComputeStatistics("fastest", fastest);
BENCHMARK(no_barrier)->DenseRange(0, 2)->Unit(benchmark::kMillisecond)->ComputeStatistics("fastest", fastest);
BENCHMARK(tiled_product)->DenseRange(0, 2)->Unit(benchmark::kMillisecond)->ComputeStatistics("fastest", fastest);

void run(benchmark::State& state, dim3 grid, dim3 block, std::function<void()> threads, unsigned cores = 1) {
  const d2l::emulator::AllocationTable table(true);
  d2l::emulator::KernelLaunch launch;
  launch.grid = grid;
  launch.block = block;
  launch.seed = 1;
  launch.cores = cores;
  launch.body = std::move(threads);
  launch.loops = true;
  for (auto _ : state) {
    const auto outcome = run_kernel(launch, table);
    if (outcome.fault) state.SkipWithError(outcome.fault->text.c_str());
  }
}

constexpr int large = 10'000'000;
constexpr unsigned large_grid = (large + 255) / 256;

struct Saxpy {
  std::vector<float> x = std::vector<float>(large, 1);
  std::vector<float> y = std::vector<float>(large, 1);
};
void measure_saxpy_loop(benchmark::State& state) {
  Saxpy of;
  for (auto _ : state) saxpy_loop(large, 0.5F, of.x.data(), of.y.data());
}
void measure_saxpy_threads(benchmark::State& state) {
  Saxpy of;
  run(state, large_grid, 256, saxpy_threads(large, 0.5F, of.x.data(), of.y.data()));
}

struct Prices {
  std::vector<float> price = std::vector<float>(large, 20);
  std::vector<float> strike = std::vector<float>(large, 15);
  std::vector<float> years = std::vector<float>(large, 2);
  std::vector<float> call = std::vector<float>(large, 0);
  std::vector<float> put = std::vector<float>(large, 0);
  Options options{price.data(), strike.data(), years.data(), call.data(), put.data()};
};
void measure_black_scholes_loop(benchmark::State& state) {
  const Prices of;
  for (auto _ : state) black_scholes_loop(large, of.options);
}
void measure_black_scholes_threads(benchmark::State& state) {
  const Prices of;
  run(state, large_grid, 256, black_scholes_threads(large, of.options));
}

void product_of(benchmark::State& state, unsigned cores) {
  constexpr int n = 1024;
  const std::vector<float> a(n * n, 1);
  std::vector<float> out(n * n);
  run(state, dim3(n / 16, n / 16), dim3(16, 16), product_threads(a.data(), a.data(), out.data(), n), cores);
}
void measure_product_threads(benchmark::State& state) { product_of(state, 1); }
void cores(benchmark::State& state) { product_of(state, static_cast<unsigned>(state.range(0))); }
void measure_two_barriers_threads(benchmark::State& state) {
  const std::vector<float> in(max_elements, 1);
  std::vector<float> out(max_elements);
  run(state, 1000, 256, reverse_twice_threads(in.data(), out.data()));
}

#define D2L_MEASURE(FUNCTION, NAME) \
  BENCHMARK(FUNCTION)->Name(NAME)->Unit(benchmark::kMillisecond)->ComputeStatistics("fastest", fastest)
D2L_MEASURE(measure_saxpy_loop, "saxpy/loop");
D2L_MEASURE(measure_saxpy_threads, "saxpy/threads");
D2L_MEASURE(measure_black_scholes_loop, "black_scholes/loop");
D2L_MEASURE(measure_black_scholes_threads, "black_scholes/threads");
D2L_MEASURE(measure_product_threads, "product/threads");
D2L_MEASURE(measure_two_barriers_threads, "two_barriers/threads");
D2L_MEASURE(cores, "cores")->RangeMultiplier(2)->Range(1, 4)->UseRealTime();

}  // namespace

BENCHMARK_MAIN();
