// SPDX-License-Identifier: MIT
// Benchmarks of a physical GPU: bandwidth, matrix products, launch overhead, copies from the host, training steps,
// files. docs/hardware/measure runs it, and the same work in PyTorch (pytorch_side.py).
#include <benchmark/benchmark.h>

#include <cstdio>
#include <filesystem>
#include <string>

#include "d2l/d2l.h"

namespace {

/// An iteration is many calls and one wait, as in a program; its time includes the wait.
template <class Work>
void repeat(benchmark::State& state, int calls, const Work& work) {
  const d2l::Device device = d2l::gpu(0);
  for (int i = 0; i < calls; ++i) work();  // allocates memory, loads kernels
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

/// A training step: forward, loss, backward, SGD; the loss stays on the GPU.
template <class Loss>
void train(benchmark::State& state, d2l::nn::Sequential net, const d2l::Tensor& X, const Loss& loss_of) {
  net->to(d2l::gpu(0));
  d2l::optim::SGD optimizer(net->parameters(), 0.01);
  repeat(state, 100, [&] {
    optimizer.zero_grad(/*set_to_none=*/true);
    loss_of(net(X)).backward();
    optimizer.step();
  });
}

void linear_step(benchmark::State& state) {
  const auto X = d2l::rand({state.range(0), 3}, d2l::gpu(0));
  const auto y = d2l::rand({state.range(0), 1}, d2l::gpu(0));
  train(state, d2l::nn::Sequential(d2l::nn::Linear(3, 1)), X,
        [&](const d2l::Tensor& prediction) { return d2l::mse_loss(prediction, y); });
}
BENCHMARK(linear_step)->Arg(32)->UseRealTime();

void mlp_step(benchmark::State& state) {
  const auto X = d2l::rand({state.range(0), 784}, d2l::gpu(0));
  const auto classes = (d2l::rand({state.range(0)}, d2l::gpu(0)) * 10).to(d2l::kLong);
  train(state, d2l::nn::Sequential(d2l::nn::Linear(784, 256), d2l::nn::ReLU(), d2l::nn::Linear(256, 10)), X,
        [&](const d2l::Tensor& scores) { return d2l::cross_entropy_loss(scores, classes); });
}
BENCHMARK(mlp_step)->Arg(256)->UseRealTime();

/// Loads 64 tensors from a file in the page cache to the GPU.
void load_file(benchmark::State& state) {
  constexpr int tensors = 64;
  const auto path = (std::filesystem::temp_directory_path() / "d2l_gpu_benchmarks.safetensors").string();
  d2l::StateDict parameters;
  for (int i = 0; i < tensors; ++i) {
    parameters.insert("layer" + std::to_string(i) + ".weight", d2l::rand({state.range(0) / tensors / 4}));
  }
  d2l::save_file(parameters, path);
  repeat(state, 1, [&] { benchmark::DoNotOptimize(d2l::load_file(path, d2l::gpu(0))); });
  std::filesystem::remove(path);
  state.SetBytesProcessed(state.iterations() * state.range(0));
}
BENCHMARK(load_file)->Arg(1 << 28)->UseRealTime();

}  // namespace

int main(int count, char** arguments) {
  benchmark::Initialize(&count, arguments);
  if (benchmark::ReportUnrecognizedArguments(count, arguments)) return 2;
  if (d2l::num_gpus() == 0 || d2l::device_properties(d2l::gpu(0)).kind != d2l::DeviceKind::physical_gpu) {
    std::puts("Skipped: these benchmarks need a physical GPU, and there is none.");
    return 77;
  }
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
