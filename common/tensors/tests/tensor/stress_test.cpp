// SPDX-License-Identifier: MIT
// Eight threads on up to four devices, for D2L_STRESS_SECONDS (2): every value must be right, all memory released.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "d2l/testing.h"
#include "gtest/gtest.h"
#include "library.h"

namespace d2l::testing {
namespace {

constexpr int thread_count = 8;
constexpr int max_devices = 4;

std::vector<Device> devices_under_stress() {
  auto devices = try_all_gpus();
  if (devices.size() > max_devices) devices.resize(max_devices, cpu());
  return devices;
}

std::chrono::duration<double> time_to_run() {
  const char* seconds = std::getenv("D2L_STRESS_SECONDS");
  return std::chrono::duration<double>(seconds != nullptr ? std::atof(seconds) : 2);
}

/// The random choices and tasks of one thread. A task returns false if a value is wrong.
class Worker {
 public:
  Worker(std::uint32_t seed, const std::vector<Device>& devices, const std::vector<Tensor>& shared)
      : random_(seed), devices_(devices), shared_(shared) {}

  bool allocate() {
    std::vector<Tensor> blocks;
    for (int i = 0; i < 8; ++i) blocks.push_back(full({below(3000)}, i, TensorOptions(device()).dtype(kInt)));
    for (int i = 0; i < 8; ++i) {
      const auto& block = blocks[static_cast<std::size_t>(i)];
      if (block.numel() > 0 && block[block.numel() - 1].item<int>() != i) return false;
    }
    return true;
  }

  bool compute() {
    const auto n = 1 + below(5000);
    const int value = static_cast<int>(below(100));
    auto x = full({n}, value, TensorOptions(device()).dtype(kLong));
    const auto y = (x * 3 - value) / 2 + x;
    x += 1;
    return all(y, 2.0 * value) && all(x, value + 1.0);
  }

  bool multiply() {
    const auto n = 1 + below(24);
    const auto k = 1 + below(24);
    const auto where = device();
    return all(ones({n, k}, where).mm(full({k, n}, 2.0, where)), 2.0 * static_cast<double>(k));
  }

  bool travel() {
    const auto n = 1 + below(4000);
    auto x = arange(n, device());
    const bool blocking = below(2) == 0;
    for (int i = 0; i < 3; ++i) x = x.to(device(), !blocking);
    return x.to_vector<std::int64_t>() == arange(n).to_vector<std::int64_t>();
  }

  bool travel_pinned() {
    const auto n = 1 + below(4000);
    const auto host = full({n}, 5.0, TensorOptions().pinned_memory(true));
    const auto there = host.to(device(), true);
    auto back = empty({n}, TensorOptions().pinned_memory(true));
    back.copy_(there + 1, true);
    return all(back, 6);
  }

  bool read() {
    const auto n = 1 + below(2000);
    return ones({n}, device()).sum().item<double>() == static_cast<double>(n);
  }

  bool view() {
    const auto x = arange(24, device()).view({4, 6});
    const auto row = below(4);
    const auto column = below(6);
    return x.t()[column][row].item<std::int64_t>() == row * 6 + column &&
           x.slice(1, 0, 6, 2).sum().item<std::int64_t>() == 132 &&
           x.select(0, row).contiguous().sum().item<std::int64_t>() == 36 * row + 15;
  }

  bool mark() {
    const auto first = device();
    const auto second = device();
    const auto x = full({1000}, 3.0, first);
    Event event;
    event.record(first);
    event.block(second);
    const auto y = x.to(second) + 1;
    event.synchronize();
    return event.query() && all(y, 4);
  }

  bool count() {
    const TransferLedger ledger;
    const auto where = device();
    const auto x = ones({2, 3}, where) + 1;
    if (ledger.launches() < 2 || ledger.allocations() < 2) return false;
    if (below(8) == 0 && ledger.chrome_trace().empty()) return false;
    return ledger.entries().size() >= 4 && !ledger.summary().empty() && all(x, 2);
  }

  bool guard() {
    const auto x = ones({1}, device());
    const TransferGuard guard(TransferGuard::disallow);
    if (x.is_cpu()) return x.item<float>() == 1;
    try {
      (void)x.item();
      return false;
    } catch (const TransferError&) {
      return x.to_vector<float>().front() == 1;
    }
  }

  /// Reads a tensor that all threads read at the same time.
  bool share() {
    const auto& x = shared_[static_cast<std::size_t>(below(static_cast<std::int64_t>(shared_.size())))];
    return all(x * 2 + x, 21) && all(x.to(device()), 7);
  }

  bool draw() {
    const auto x = rand({1 + below(100)}, device());
    return x.min().item<float>() >= 0 && x.max().item<float>() < 1;
  }

  bool join() {
    const auto where = device();
    return all(cat({ones({below(50), 2}, where), stack({ones({2}, where), ones({2}, where)})}), 1);
  }

  bool fail() {
    try {
      (void)(ones({2, 3}, device()) + ones({4}, device()));
      return false;
    } catch (const Error&) {
      return true;
    }
  }

  std::int64_t below(std::int64_t limit) { return std::uniform_int_distribution<std::int64_t>(0, limit - 1)(random_); }

 private:
  Device device() { return devices_[static_cast<std::size_t>(below(static_cast<std::int64_t>(devices_.size())))]; }

  static bool all(const Tensor& x, double value) {
    const auto elements = x.to_vector<double>();
    return std::count(elements.begin(), elements.end(), value) == x.numel();
  }

  std::mt19937 random_;
  std::vector<Device> devices_;
  const std::vector<Tensor>& shared_;
};

struct Task {
  const char* name;
  bool (Worker::*run)();
};

const std::vector<Task> tasks = {
    {"allocate", &Worker::allocate},
    {"compute", &Worker::compute},
    {"multiply", &Worker::multiply},
    {"travel", &Worker::travel},
    {"travel_pinned", &Worker::travel_pinned},
    {"read", &Worker::read},
    {"view", &Worker::view},
    {"mark", &Worker::mark},
    {"count", &Worker::count},
    {"guard", &Worker::guard},
    {"share", &Worker::share},
    {"draw", &Worker::draw},
    {"join", &Worker::join},
    {"fail", &Worker::fail},
};

/// The tasks of a thread until the deadline: their count, and the names and errors of those that failed.
struct Report {
  std::int64_t done = 0;
  std::vector<std::string> wrong;
};

Report work_until(std::chrono::steady_clock::time_point deadline, Worker worker) {
  Report report;
  while (std::chrono::steady_clock::now() < deadline && report.wrong.size() < 10) {
    const auto& task = tasks[static_cast<std::size_t>(worker.below(static_cast<std::int64_t>(tasks.size())))];
    try {
      if (!(worker.*task.run)()) report.wrong.push_back(task.name);
    } catch (const std::exception& error) {
      report.wrong.push_back(std::string(task.name) + ": " + error.what());
    }
    ++report.done;
  }
  return report;
}

TEST(Stress, EveryBlockIsGivenBack) {
  const TransferLedger ledger;
  {
    auto devices = devices_under_stress();
    devices.push_back(cpu());
    const std::vector<Tensor> shared{full({1000}, 7.0, devices.front())};
    Worker worker(0, devices, shared);
    for (int round = 0; round < 20; ++round) {
      for (const auto& task : tasks) EXPECT_TRUE((worker.*task.run)()) << task.name;
    }
  }
  std::int64_t released_bytes = 0;
  for (const auto& entry : ledger.entries()) {
    if (entry.kind == LedgerEntry::Kind::release) released_bytes += entry.bytes;
  }
  EXPECT_GT(ledger.allocations(), 1000);
  EXPECT_EQ(ledger.allocations(), ledger.releases());
  EXPECT_EQ(ledger.allocated_bytes(), released_bytes);
}

TEST(Stress, EightThreadsOnAllDevices) {
  const auto devices = devices_under_stress();
  auto everywhere = devices;
  everywhere.push_back(cpu());
  synchronize();
  std::vector<LiveMemory> before;
  for (const auto device : everywhere) before.push_back(live_memory(device));
  std::vector<Report> reports(thread_count);
  {
    std::vector<Tensor> shared;
    for (const auto device : everywhere) shared.push_back(full({1000}, 7.0, device));
    const auto deadline = std::chrono::steady_clock::now() +
                          std::chrono::duration_cast<std::chrono::steady_clock::duration>(time_to_run());
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < thread_count; ++i) {
      threads.emplace_back(
          [&, i] { reports[i] = work_until(deadline, Worker(static_cast<std::uint32_t>(i), everywhere, shared)); });
    }
    for (auto& thread : threads) thread.join();
  }
  for (const auto& report : reports) {
    EXPECT_GT(report.done, 0);
    for (const auto& wrong : report.wrong) ADD_FAILURE() << wrong;
  }
  synchronize();
  for (std::size_t i = 0; i < everywhere.size(); ++i) {
    const auto after = live_memory(everywhere[i]);
    EXPECT_EQ(after.blocks, before[i].blocks) << everywhere[i];
    EXPECT_EQ(after.bytes, before[i].bytes) << everywhere[i];
  }
}

}  // namespace
}  // namespace d2l::testing
