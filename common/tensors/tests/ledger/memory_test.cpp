// SPDX-License-Identifier: MIT
// The memory statistics of GPUs, and the memory over the time of a ledger.
#include "d2l/memory.h"

#include <nlohmann/json.hpp>
#include <thread>

#include "every_device.h"

namespace d2l::testing {
namespace {

class Memory : public ::testing::Test {
 protected:
  void SetUp() override {
    if (num_gpus() == 0) GTEST_SKIP() << "this needs a GPU";
  }
};

TEST_F(Memory, OfATensorIsAMultipleOf512Bytes) {
  for (const Device device : gpus(num_gpus())) {
    const auto before = cuda::memory_allocated(device);
    {
      const Tensor one = empty({1}, device);
      EXPECT_EQ(cuda::memory_allocated(device) - before, 512);
      const Tensor more = empty({129}, device);  // 516 bytes
      EXPECT_EQ(cuda::memory_allocated(device) - before, 512 + 1024);
      const Tensor view = more.narrow(0, 1, 10);
      EXPECT_EQ(cuda::memory_allocated(device) - before, 512 + 1024);
      EXPECT_EQ(memory_info(device).requested, cuda::memory_stats(device).at("requested_bytes.all.current"));
      EXPECT_EQ(memory_info(device).blocks, cuda::memory_stats(device).at("allocation.all.current"));
    }
    EXPECT_EQ(cuda::memory_allocated(device), before);
    static_cast<void>(empty({0}, device));
    EXPECT_EQ(cuda::memory_allocated(device), before);
  }
}

TEST_F(Memory, PeakIsThatSinceTheReset) {
  const auto before = cuda::memory_allocated();
  cuda::reset_peak_memory_stats();
  EXPECT_EQ(cuda::max_memory_allocated(), before);
  {
    const Tensor x = empty({1024}, gpu());
    { const Tensor y = empty({2048}, gpu()); }
    const Tensor z = empty({128}, gpu());
  }
  EXPECT_EQ(cuda::max_memory_allocated() - before, 4096 + 8192);
  cuda::reset_peak_memory_stats();
  EXPECT_EQ(cuda::max_memory_allocated(), before);
}

TEST_F(Memory, IsCountedForEachDevice) {
  if (num_gpus() < 2) GTEST_SKIP() << "this needs two GPUs";
  const auto first = cuda::memory_allocated(gpu(0));
  const auto second = cuda::memory_allocated(gpu(1));
  const Tensor x = empty({128}, gpu(1));
  EXPECT_EQ(cuda::memory_allocated(gpu(0)), first);
  EXPECT_EQ(cuda::memory_allocated(gpu(1)), second + 512);
}

TEST_F(Memory, IsExactWithManyThreads) {
  constexpr int threads = 4;
  constexpr int each = 500;
  const auto before = cuda::memory_stats();
  cuda::reset_peak_memory_stats();
  std::vector<std::thread> all;
  for (int i = 0; i < threads; ++i) {
    all.emplace_back([] {
      for (int j = 0; j < each; ++j) static_cast<void>(empty({j % 7 + 1}, gpu()));
    });
  }
  for (auto& thread : all) thread.join();
  const auto after = cuda::memory_stats();
  EXPECT_EQ(after.at("allocated_bytes.all.current"), before.at("allocated_bytes.all.current"));
  EXPECT_EQ(after.at("allocation.all.allocated") - before.at("allocation.all.allocated"), threads * each);
  EXPECT_EQ(after.at("allocated_bytes.all.freed") - before.at("allocated_bytes.all.freed"), threads * each * 512);
  const auto peak = cuda::max_memory_allocated() - before.at("allocated_bytes.all.current");
  EXPECT_GE(peak, 512);
  EXPECT_LE(peak, threads * 512);
}

TEST_F(Memory, ThatIsReservedFallsWithEmptyCache) {
  cuda::empty_cache();
  const auto before = cuda::memory_reserved();
  cuda::reset_peak_memory_stats();
  { const Tensor x = empty({std::int64_t{16} << 20}, TensorOptions(kByte).device(gpu())); }
  synchronize();
  EXPECT_GE(cuda::memory_reserved(), before);
  EXPECT_GE(cuda::max_memory_reserved(), std::int64_t{16} << 20);
  cuda::empty_cache();
  EXPECT_LE(cuda::memory_reserved(), before);
  EXPECT_GE(cuda::memory_reserved(), cuda::memory_allocated());
  const auto [free, total] = cuda::mem_get_info();
  EXPECT_EQ(total, memory_info(gpu()).total);
  EXPECT_LE(free, total);
  EXPECT_NE(cuda::memory_summary().find("allocated memory"), std::string::npos);
}

TEST_F(Memory, IsOfAGpuThatExists) {
  expect_error<ValueError>([] { static_cast<void>(cuda::memory_allocated(kCPU)); }, "Expected a cuda device");
  expect_error<ValueError>([] { cuda::reset_peak_memory_stats(kCPU); }, "Expected a cuda device");
  expect_error<DeviceError>([] { static_cast<void>(cuda::memory_stats(gpu(100))); }, "invalid device ordinal");
}

TEST_F(Memory, HasAPeakWithTheOperationThatNeededIt) {
  for (const Device device : gpus(num_gpus())) {
    const Tensor x = ones({1000}, device);
    const auto before = cuda::memory_allocated(device);
    cuda::reset_peak_memory_stats(device);
    const TransferLedger ledger;
    {
      const Tensor a = x + 1;
      const Tensor b = exp(a);
    }
    const Tensor c = x - 1;
    EXPECT_EQ(ledger.memory_peak(device).operation, "exp");
    EXPECT_EQ(ledger.memory_peak(device).bytes, before + 2 * 4096);
    EXPECT_EQ(ledger.memory_peak(device).bytes, cuda::max_memory_allocated(device));
    const auto points = ledger.memory_over_time(device);
    EXPECT_EQ(points.front().bytes, before);
    EXPECT_EQ(points.back().bytes, cuda::memory_allocated(device));
    const auto entries = ledger.entries();
    for (std::size_t i = 1; i < points.size(); ++i) EXPECT_GE(points[i].time, points[i - 1].time);
    EXPECT_EQ(entries.at(ledger.memory_peak(device).entry).kind, LedgerEntry::Kind::allocation);
    std::vector<std::string> names;
    for (const auto& point : points) names.push_back(point.operation);
    EXPECT_EQ(names, (std::vector<std::string>{"begin", "add", "exp", "release", "release", "sub"}));
  }
}

TEST_F(Memory, OfTheCpuIsInTheLedgerToo) {
  const TransferLedger ledger;
  const auto before = ledger.memory_over_time(kCPU).front().bytes;
  const Tensor x = ones({1000});
  EXPECT_EQ(ledger.memory_peak(kCPU).bytes, before + 4000);
}

TEST_F(Memory, IsACounterOfTheTrace) {
  const TransferLedger ledger;
  { const Tensor x = ones({1000}, gpu()); }
  const auto events = nlohmann::json::parse(ledger.chrome_trace()).at("traceEvents");
  std::vector<std::int64_t> bytes;
  for (const auto& event : events) {
    if (event.at("ph") == "C" && event.at("name") == "memory of cuda:0") bytes.push_back(event.at("args").at("bytes"));
  }
  ASSERT_EQ(bytes.size(), 3U);
  EXPECT_EQ(bytes[1] - bytes[0], 4096);
  EXPECT_EQ(bytes[2], bytes[0]);
}

}  // namespace
}  // namespace d2l::testing
