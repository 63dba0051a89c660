// SPDX-License-Identifier: MIT
// What a physical GPU does: bandwidth, matrix products, the cost of a launch, and copies from the host.
// docs/hardware/measure runs it, with the same works done by PyTorch (pytorch_side.py) beside it.
#include <benchmark/benchmark.h>

#include <cstdio>

#include "d2l/d2l.h"

namespace {

/// An iteration is many calls and one wait, as a program works; the wait is part of the time.
template <class Work>
void repeat(benchmark::State& state, int calls, const Work& work) {
  const d2l::Device device = d2l::gpu(0);
  for (int i = 0; i < calls; ++i) work();  // memory is taken, kernels are loaded
  d2l::synchronize(device);
  for (auto _ : state) {
    for (int i = 0; i < calls; ++i) work();
    d2l::synchronize(device);
  }
  state.SetItemsProcessed(state.iterations() * calls);
}

void add_bandwidth(benchmark::State& state) {
  constexpr int calls = 10;
  const d2l::Tensor a = d2l::rand({state.range(0)}, d2l::gpu(0));
  const d2l::Tensor b = d2l::rand({state.range(0)}, d2l::gpu(0));
  repeat(state, calls, [&] { benchmark::DoNotOptimize(a + b); });
  state.SetBytesProcessed(state.iterations() * calls * 3 * state.range(0) * 4);
}
BENCHMARK(add_bandwidth)->Arg(100'000'000)->UseRealTime();

void sum(benchmark::State& state) {
  constexpr int calls = 10;
  const d2l::Tensor a = d2l::rand({state.range(0)}, d2l::gpu(0));
  repeat(state, calls, [&] { benchmark::DoNotOptimize(d2l::sum(a)); });
  state.SetBytesProcessed(state.iterations() * calls * state.range(0) * 4);
}
BENCHMARK(sum)->Arg(100'000'000)->UseRealTime();

void mm(benchmark::State& state) {
  constexpr int calls = 10;
  const d2l::Tensor a = d2l::rand({state.range(0), state.range(0)}, d2l::gpu(0));
  repeat(state, calls, [&] { benchmark::DoNotOptimize(d2l::mm(a, a)); });
}
BENCHMARK(mm)->Arg(4096)->UseRealTime();

void launch_overhead(benchmark::State& state) {
  constexpr int calls = 1000;
  const d2l::Tensor a = d2l::ones({2, 3}, d2l::gpu(0));
  repeat(state, calls, [&] { benchmark::DoNotOptimize(a + a); });
}
BENCHMARK(launch_overhead)->Arg(6)->UseRealTime();

void copy_from(benchmark::State& state, bool pinned) {
  const d2l::Tensor pageable = d2l::rand({state.range(0)});
  const d2l::Tensor host = pinned ? pageable.pin_memory() : pageable;
  d2l::Tensor there = d2l::empty({state.range(0)}, d2l::gpu(0));
  repeat(state, 1, [&] { there.copy_(host, pinned); });
  state.SetBytesProcessed(state.iterations() * state.range(0) * 4);
}
BENCHMARK_CAPTURE(copy_from, pinned, true)->Arg(1 << 26)->UseRealTime();
BENCHMARK_CAPTURE(copy_from, pageable, false)->Arg(1 << 26)->UseRealTime();

}  // namespace

int main(int count, char** arguments) {
  benchmark::Initialize(&count, arguments);
  if (benchmark::ReportUnrecognizedArguments(count, arguments)) return 2;
  if (d2l::num_gpus() == 0 || d2l::device_properties(d2l::gpu(0)).kind != d2l::DeviceKind::physical_gpu) {
    std::puts("Skipped: these benchmarks need a physical GPU, and none is here.");
    return 77;
  }
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
