// SPDX-License-Identifier: MIT
// Two 1024×1024 products on one virtual GPU, and one on each of two: products/DEVICES. The same on one and
// two threads without a device, the highest speed of the machine: threads/THREADS.
#include <benchmark/benchmark.h>

#include <thread>

#include "d2l/d2l.h"
#include "fastest.h"

namespace {

void products(benchmark::State& state) {
  const auto devices = static_cast<int>(state.range(0));
  std::vector<d2l::Tensor> operands;
  for (int i = 0; i < 2; ++i) operands.push_back(d2l::rand({1024, 1024}, d2l::gpu(i % devices)));
  for (int i = 0; i < devices; ++i) d2l::synchronize(d2l::gpu(i));
  std::vector<d2l::Tensor> results(2);
  for (auto _ : state) {
    for (std::size_t i = 0; i < 2; ++i) results[i] = d2l::mm(operands[i], operands[i]);
    for (int i = 0; i < devices; ++i) d2l::synchronize(d2l::gpu(i));
  }
}
BENCHMARK(products)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kNanosecond)->ComputeStatistics("fastest", fastest);

void threads(benchmark::State& state) {
  const auto operand = d2l::rand({1024, 1024});
  const auto multiply = [&operand] { d2l::mm(operand, operand); };
  for (auto _ : state) {
    std::thread other;
    if (state.range(0) == 2) {
      other = std::thread(multiply);
    } else {
      multiply();
    }
    multiply();
    if (other.joinable()) other.join();
  }
}
BENCHMARK(threads)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kNanosecond)->ComputeStatistics("fastest", fastest);

}  // namespace

int main(int count, char** arguments) {
  benchmark::Initialize(&count, arguments);
  if (benchmark::ReportUnrecognizedArguments(count, arguments)) return 2;
  d2l::use_virtual_gpus("2@host");
  d2l::set_num_threads(1);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
