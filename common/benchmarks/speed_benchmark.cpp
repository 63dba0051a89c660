// SPDX-License-Identifier: MIT
// The same work by d2l and by LibTorch, on one thread and two: NAME/SIZE/SIDE/THREADS.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "side.h"

namespace {

using d2l::benchmarks::Side;

void measure(benchmark::State& state, const Side* side, const std::string& work, std::int64_t size, int threads) {
  side->set_threads(threads);
  void* prepared = side->prepare(work.c_str(), size);
  if (prepared == nullptr) {
    state.SkipWithError("this side has no such work");
    return;
  }
  side->run(prepared);
  for (auto _ : state) side->run(prepared);
  side->finish(prepared);
}

void add(const Side* side, const std::string& work, std::int64_t size, int threads) {
  if (side == nullptr) return;
  auto* registered =
      benchmark::RegisterBenchmark(fmt::format("{}/{}/{}/{}", work, size, side->name, threads).c_str(),
                                   [=](benchmark::State& state) { measure(state, side, work, size, threads); });
  registered->UseRealTime()->Unit(benchmark::kNanosecond);
}

}  // namespace

int main(int count, char** arguments) {
  benchmark::Initialize(&count, arguments);
  if (benchmark::ReportUnrecognizedArguments(count, arguments)) return 2;
  for (const int threads : {1, 2}) {
    const auto compare = [threads](const std::string& work, std::int64_t size) {
      add(d2l_side(), work, size, threads);
      add(libtorch_side(), work, size, threads);
    };
    compare("add", 6);
    compare("ones", 6);
    compare("identity_to", 6);
    for (const std::int64_t size : {10'000, 1'000'000, 100'000'000}) compare("add", size);
    compare("sum", 100'000'000);
    for (const std::int64_t size : {100, 256, 1024, 4096}) compare("mm", size);
    compare("softmax", 1024);
    compare("sort", 1'000'000);
    compare("layer_norm", 4096);
    compare("print", 6);
    compare("forward", 6);
    compare("step", 32);
    compare("step_clipped", 32);
    compare("perceptron_step", 256);
    compare("conv2d", 8);
    compare("adam", 1'000'000);
    for (const std::int64_t window : {2, 3}) compare("max_pool2d", window);
    compare("lenet_step", 64);
    for (const char* dtype : {"half", "bfloat16"}) {
      compare(fmt::format("add_{}", dtype), 1'000'000);
      compare(fmt::format("sum_{}", dtype), 1'000'000);
      compare(fmt::format("softmax_{}", dtype), 1000);
    }
    compare("attention", 256);
    compare("language_model_step", 16);
    add(vector_loop_side(), "add", 10'000, threads);
  }
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
