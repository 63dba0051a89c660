// SPDX-License-Identifier: MIT
// The same two products, as the solution of exercise 1.5.4 times them: exercise/DEVICES.
#include <benchmark/benchmark.h>

#include "exercise.h"

namespace {

void exercise(benchmark::State& state) {
  const auto devices = static_cast<int>(state.range(0));
  const std::vector<d2l::Tensor> operands{d2l::rand({1024, 1024}), d2l::rand({1024, 1024})};
  const std::vector<d2l::Device> places{d2l::gpu(0), d2l::gpu(devices - 1)};
  for (auto _ : state) state.SetIterationTime(multiply_at_once(operands, operands, places).seconds);
}
BENCHMARK(exercise)->Arg(1)->Arg(2)->UseManualTime()->Unit(benchmark::kNanosecond);

}  // namespace
