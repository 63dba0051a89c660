// SPDX-License-Identifier: MIT
// Collectives and data-parallel training: milliseconds, the median of many runs, a line each.
//   gloo        an all-reduce of 10^6 floats between the processes that started this program (./learn launch -n 2 …);
//               all_reduce.py is the same in PyTorch
//   local K     the same between K virtual GPUs, and the copies that theory asks for: each device sends
//               2(K - 1)/K of the elements
//   step        a training step of a network whose product dominates, on one virtual GPU and on two
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "d2l/d2l.h"
#include "d2l/distributed.h"

namespace {

using namespace d2l;

constexpr std::int64_t elements = 1'000'000;

double milliseconds(const std::function<void()>& work) {
  const auto began = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count();
}

double median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

double median_of(int runs, const std::function<void()>& work) {
  work();
  work();
  std::vector<double> times;
  for (int i = 0; i < runs; ++i) times.push_back(milliseconds(work));
  return median(times);
}

void between_processes() {
  distributed::init_process_group("gloo");
  const Tensor x = ones({elements});
  const double time = median_of(100, [&] {
    distributed::barrier().wait();
    distributed::all_reduce(x, distributed::ReduceOp::MAX).wait();
  });
  const double barrier = median_of(100, [] { distributed::barrier().wait(); });
  if (distributed::get_rank() == 0) {
    std::printf("%d processes: all_reduce %.3f, of it barrier %.3f\n", distributed::get_world_size(), time, barrier);
  }
  distributed::destroy_process_group();
}

void between_gpus(int count) {
  use_virtual_gpus(std::to_string(count) + "@host");
  distributed::init_process_group("local");
  std::vector<Tensor> tensors;
  for (int i = 0; i < count; ++i) tensors.push_back(ones({elements}, gpu(i)));
  std::vector<Tensor> received;
  for (int i = 0; i < count; ++i) received.push_back(ones({elements / count}, gpu(i)));
  const auto all_reduce = [&] {
    distributed::all_reduce(tensors, distributed::ReduceOp::MAX).wait();
    synchronize();
  };
  const auto copies = [&] {
    for (int step = 0; step < 2 * (count - 1); ++step) {
      for (int i = 0; i < count; ++i) {
        const auto next = static_cast<std::size_t>((i + 1) % count);
        received[next].copy_(tensors[static_cast<std::size_t>(i)].narrow(0, 0, elements / count));
      }
    }
    synchronize();
  };
  std::vector<double> own;
  std::vector<double> theory;
  for (int i = 0; i < 100; ++i) {
    own.push_back(milliseconds(all_reduce));
    theory.push_back(milliseconds(copies));
  }
  std::printf("%d virtual GPUs: all_reduce %.3f, copies %.3f, ratio %.2f\n", count, median(own), median(theory),
              median(own) / median(theory));
}

struct Products : Model {
  Products() {
    net = register_module("net", nn::Sequential(nn::Linear(1024, 1024), nn::ReLU(), nn::Linear(1024, 1024)));
  }
  Tensor forward(const Tensor& x) override { return net->forward(x); }
  Tensor loss(const Tensor& y_hat, const Tensor& y) override { return nn::functional::mse_loss(y_hat, y); }
  std::unique_ptr<optim::Optimizer> configure_optimizers() override {
    return std::make_unique<optim::SGD>(parameters(), 0.01);
  }
  std::shared_ptr<nn::SequentialImpl> net;
};

struct Noise : DataModule {
  Tensor x = randn({16384, 1024});
  Tensor y = randn({16384, 1024});
  [[nodiscard]] DataLoader train_dataloader() const override {
    return DataLoader(TensorDataset({x, y}), DataLoaderOptions(2048));
  }
};

void steps() {
  use_virtual_gpus("2@host");
  set_num_threads(1);
  const Noise data;
  double one = 0;
  for (int count = 1; count <= 2; ++count) {
    Products model;
    Trainer trainer({.max_epochs = 1, .num_gpus = count});
    trainer.fit(model, data);
    std::vector<double> times;
    for (int i = 0; i < 5; ++i) times.push_back(milliseconds([&] { trainer.fit_epoch(); }) / 8);
    if (count == 1) one = median(times);
    std::printf("%d virtual GPU%s: step %.1f, ratio %.2f\n", count, count == 1 ? "" : "s", median(times),
                median(times) / one);
  }
}

}  // namespace

int main(int count, char** arguments) {
  const std::string what = count > 1 ? arguments[1] : "";
  if (what == "gloo" && count == 2) {
    between_processes();
  } else if (what == "local" && count == 3) {
    between_gpus(std::atoi(arguments[2]));
  } else if (what == "step" && count == 2) {
    steps();
  } else {
    std::fprintf(stderr, "usage: distributed_benchmark gloo | local K | step\n");
    return 2;
  }
}
