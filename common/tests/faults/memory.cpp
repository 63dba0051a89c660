// SPDX-License-Identifier: MIT
// Lets each allocation of small programs fail in turn: the program succeeds or gets an OutOfMemoryError, nothing is
// leaked, and everything can be used afterwards.
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "allocations.h"
#include "d2l/d2l.h"
#include "d2l/testing.h"
#include "parts.h"

namespace d2l::faults {
namespace {

struct Program {
  std::string name;
  std::function<void()> run;
};

Tensor six(Device device, bool requires_grad = false) {
  return ones({2, 3}, TensorOptions().device(device).requires_grad(requires_grad));
}

void train(Device device) {
  nn::Sequential net(nn::Linear(3, 4), nn::ReLU(), nn::Linear(4, 1));
  net->to(device);
  optim::SGD optimizer(net->parameters(), 0.1);
  auto loss = nn::functional::mse_loss(net->forward(six(device)), ones({2, 1}, device));
  loss.backward();
  optimizer.step();
  optimizer.zero_grad();
}

void write_through_views(Device device) {
  const auto x = six(device, true);
  auto y = x * 2;
  y[0].mul_(x[1]);
  y.t().add_(1);
  y.sum().backward();
}

void copy_through_pinned(Device device) {
  auto host = ones({1000}).pin_memory();
  const auto there = host.to(device, /*non_blocking=*/true);
  host.copy_(there, /*non_blocking=*/true);
  host.add_(1);
}

void save_and_load(Device device) {
  const auto path = std::filesystem::temp_directory_path() / ("d2l_faults_" + std::to_string(::getpid()));
  save_file({{"x", six(device)}, {"y", six(device).t()}}, path);
  static_cast<void>(load_file(path));
  std::filesystem::remove(path);
}

void print(Device device) {
  std::ostringstream text;
  text << six(device, true) << six(device).to(kLong);
}

void count_work(Device device) {
  const TransferLedger ledger;
  static_cast<void>((six(device) + 1).sum().item<float>());
  static_cast<void>(ledger.summary());
}

void use_events(Device device) {
  Event event;
  event.record(device);
  event.block(gpu(1));
  event.synchronize();
}

void drop_pending_copies(Device device) {
  const auto x = zeros({100'000}, device);
  for (int i = 0; i < 3; ++i) {
    auto host = empty({100'000}, TensorOptions().pinned_memory(true));
    host.copy_(x, /*non_blocking=*/true);
  }
}

/// The programs that run on any device.
const std::vector<std::pair<const char*, void (*)(Device)>> on_devices{
    {"make", [](Device d) { static_cast<void>(six(d)); }},
    {"make large", [](Device d) { static_cast<void>(zeros({1 << 20}, d)); }},
    {"add", [](Device d) { static_cast<void>(six(d) + six(d).t().t()); }},
    {"broadcast", [](Device d) { static_cast<void>(six(d) * ones({3}, d)); }},
    {"join",
     [](Device d) {
       static_cast<void>(cat({six(d), six(d)}).reshape({3, 4}).t().contiguous());
     }},
    {"matmul",
     [](Device d) {
       static_cast<void>(ones({40, 40}, d).t().matmul(ones({40, 40}, d)));
     }},
    {"reduce", [](Device d) { static_cast<void>(six(d).sum(1).max().item<float>()); }},
    {"convert", [](Device d) { static_cast<void>(six(d).to(kLong).to(kDouble)); }},
    {"softmax", [](Device d) { static_cast<void>(six(d).log_softmax(1)); }},
    {"to host", [](Device d) { static_cast<void>(six(d).cpu().to_vector<float>()); }},
    {"to device",
     [](Device d) {
       static_cast<void>(tensor({1.0F, 2.0F}).to(d));
     }},
    {"backward", [](Device d) { (six(d, true) * 2).exp().sum().backward(); }},
    {"write through views", write_through_views},
    {"train", train},
    {"pinned", copy_through_pinned},
    {"save and load", save_and_load},
    {"print", print},
    {"ledger", count_work},
};

std::vector<Program> programs() {
  std::vector<Program> all{
      {"between GPUs", [] { static_cast<void>(six(gpu(0)).to(gpu(1)).to(gpu(0)).sum().item<float>()); }},
      {"through the host",
       [] {
         testing::set_peer_access(false);
         const auto x = six(gpu(0));
         try {
           static_cast<void>(x.to(gpu(1)).sum().item<float>());
         } catch (...) {
           testing::set_peer_access(true);
           throw;
         }
         testing::set_peer_access(true);
       }},
      {"events", [] { use_events(gpu(0)); }},
      {"pending copies", [] { drop_pending_copies(gpu(0)); }},
  };
  for (const auto& [name, run] : on_devices) {
    for (const auto device : {cpu(), gpu(0)})
      all.push_back({name + (" on " + device.str()), [use = run, device] { use(device); }});
  }
  return all;
}

/// What tensors have on each device.
std::vector<std::int64_t> in_use() {
  synchronize();
  std::vector<std::int64_t> bytes;
  for (const auto device : {cpu(), gpu(0), gpu(1)}) bytes.push_back(memory_info(device).requested);
  return bytes;
}

bool works() {
  bool right = true;
  for (const auto device : {cpu(), gpu(0), gpu(1)}) {
    right = right && (ones({1000}, device) * 2).cpu().sum().item<float>() == 2000;
  }
  return right;
}

/// True if the program survives the failure of each allocation; prints the first that it does not survive.
bool survives(const Program& program, Failing failing) {
  for (long count = 1;; ++count) {
    const auto before = in_use();
    std::string problem;
    fail_allocation(count, failing);
    try {
      program.run();
    } catch (const OutOfMemoryError&) {
      end_failing();
    } catch (const std::exception& error) {
      end_failing();
      problem = error.what();
    }
    const bool failed = end_failing();
    if (problem.empty() && in_use() != before) problem = "memory was leaked";
    if (problem.empty() && !works()) problem = "a device computes something else";
    if (!problem.empty()) {
      std::printf("%s, allocation %ld: %s\n", program.name.c_str(), count, problem.c_str());
      return false;
    }
    if (!failed) return true;
  }
}

bool all_survive(Failing failing) {
  bool right = works();
  for (const auto& program : programs()) {
    program.run();
    right = survives(program, failing) && right;
  }
  return right;
}

}  // namespace

int no_memory() { return all_survive(Failing::once) ? 0 : 1; }
int no_memory_at_all() { return all_survive(Failing::from_then_on) ? 0 : 1; }

}  // namespace d2l::faults
