// SPDX-License-Identifier: MIT
// Eight products, issued and timed by the solution of exercise 1.5.4: exercise/DEVICES.
#include <benchmark/benchmark.h>

#include "exercise.h"
#include "fastest.h"

namespace {

void exercise(benchmark::State& state) {
  const auto devices = static_cast<int>(state.range(0));
  const std::vector<d2l::Tensor> operands(8, d2l::rand({1024, 1024}));
  std::vector<d2l::Device> places;
  for (int i = 0; i < 8; ++i) places.push_back(d2l::gpu(i % devices));
  for (auto _ : state) state.SetIterationTime(multiply_at_once(operands, operands, places).seconds);
}
BENCHMARK(exercise)
    ->Arg(1)
    ->Arg(2)
    ->UseManualTime()
    ->Unit(benchmark::kNanosecond)
    ->ComputeStatistics("fastest", fastest);

}  // namespace
