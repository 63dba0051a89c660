// SPDX-License-Identifier: MIT
// Virtual GPUs behave as GPUs: memory that the host cannot read, work in a queue, limits.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <thread>

#include "backend/rig.h"
#include "messages.h"

namespace d2l::tests {
namespace {

using backend::HostMemory;

constexpr std::int64_t million = 1'000'000;

TEST(VirtualGpuDeathTest, HostReadOfDeviceMemoryFaultsAndSaysWhy) {
  const VirtualRig gpus;
  auto* const address = static_cast<volatile float*>(gpus.allocate(1, 6));
  gpus->synchronize(1);
  EXPECT_DEATH(static_cast<void>(address[0]), "host code read memory of cuda:1 \\(virtual GPU\\) at 0x[0-9a-f]+; copy");
}

TEST(VirtualGpuDeathTest, HostWriteOfDeviceMemoryFaultsToo) {
  const VirtualRig gpus;
  auto* const address = static_cast<volatile float*>(gpus.allocate(0, 6));
  EXPECT_DEATH(address[0] = 1, "memory of cuda:0 \\(virtual GPU\\)");
}

TEST(VirtualGpuDeathTest, OtherFaultsCallThePreviousHandler) {
  EXPECT_EXIT(
      {
        std::signal(SIGSEGV, [](int) { std::_Exit(7); });
        const VirtualRig gpus;
        std::raise(SIGSEGV);
      },
      testing::ExitedWithCode(7), "^$");
}

TEST(VirtualGpu, SaysWhatItIs) {
  const VirtualRig gpus(2, std::int64_t{512} << 20);
  EXPECT_EQ(gpus->device_count(), 2);
  const auto properties = gpus->properties(1);
  EXPECT_EQ(properties.name, "Virtual GPU 1 (host memory, 1 core)");
  EXPECT_EQ(properties.kind, DeviceKind::virtual_gpu_on_host);
  EXPECT_EQ(properties.total_memory, std::int64_t{512} << 20);
  EXPECT_EQ(properties.multiprocessors, 1);
}

TEST(VirtualGpu, ComputesAndCopies) {
  const VirtualRig gpus;
  const std::vector<float> values{1, 2, 3, 4, 5};
  void* const a = gpus.allocate(0, 5);
  void* const b = gpus.allocate(0, 5);
  void* const c = gpus.allocate(0, 5);
  gpus->copy_to_device(0, a, values.data(), 20, HostMemory::pageable, nullptr);
  gpus.fill(0, b, 5, 10);
  gpus.add(0, c, a, b, 5);
  EXPECT_EQ(gpus.read(0, c, 5), (std::vector<float>{11, 12, 13, 14, 15}));
}

TEST(VirtualGpu, KnowsWhoOwnsAnAddress) {
  const VirtualRig gpus;
  const float host = 0;
  auto* const first = static_cast<char*>(gpus.allocate(0, 6));
  EXPECT_EQ(gpus->owner(first), 0);
  EXPECT_EQ(gpus->owner(first + 23), 0);
  EXPECT_EQ(gpus->owner(gpus.allocate(1, 6)), 1);
  EXPECT_EQ(gpus->owner(&host), std::nullopt);
  EXPECT_EQ(gpus->owner(nullptr), std::nullopt);
}

TEST(VirtualGpu, FreshMemoryIsNotZero) {
  const VirtualRig gpus;
  const auto memory = gpus.read<std::uint8_t>(0, gpus.allocate(0, million), 4 * million);
  EXPECT_EQ(std::count(memory.begin(), memory.end(), 0), 0);
  const auto floats = gpus.read(0, gpus.allocate(0, 1000), 1000);
  EXPECT_TRUE(std::all_of(floats.begin(), floats.end(), [](float value) { return std::isnan(value); }));
}

TEST(VirtualGpu, RecycledMemoryHoldsWhatWasThere) {
  const VirtualRig gpus;
  void* const first = gpus.allocate(0, 1000);
  gpus.fill(0, first, 1000, 3);
  gpus->release(0, first, 4000);
  void* const second = gpus.allocate(0, 1000);
  ASSERT_EQ(first, second);
  EXPECT_EQ(gpus.read(0, second, 1000), std::vector<float>(1000, 3));
}

TEST(VirtualGpu, CallsReturnBeforeTheWorkIsDone) {
  const VirtualRig gpus;
  void* const memory = gpus.allocate(0, 4 * million);
  for (int i = 0; i < 20; ++i) gpus.fill(0, memory, 4 * million, i);
  const auto mark = gpus->record(0);
  EXPECT_FALSE(mark->done());
  mark->wait();
  EXPECT_TRUE(mark->done());
}

TEST(VirtualGpu, PageableMemoryIsReadWhenTheCopyIsIssuedAndPinnedMemoryWhenItRuns) {
  const VirtualRig gpus;
  std::vector<float> pageable(1000, 1);
  auto* const pinned = static_cast<float*>(gpus->allocate_pinned(4000));
  std::fill_n(pinned, 1000, 1.0F);
  void* const a = gpus.allocate(0, 1000);
  void* const b = gpus.allocate(0, 1000);
  gpus.hold(0);
  gpus->copy_to_device(0, a, pageable.data(), 4000, HostMemory::pageable, nullptr);
  gpus->copy_to_device(0, b, pinned, 4000, HostMemory::pinned, nullptr);
  pageable.assign(1000, 2);
  std::fill_n(pinned, 1000, 2.0F);
  gpus.release(0);
  EXPECT_EQ(gpus.read(0, a, 1000), std::vector<float>(1000, 1));
  EXPECT_EQ(gpus.read(0, b, 1000), std::vector<float>(1000, 2));
  gpus->release_pinned(pinned, 4000);
}

TEST(VirtualGpu, CopiesLargePageableMemoryManyTimes) {
  const VirtualRig gpus;
  void* const memory = gpus.allocate(0, million);
  for (int round = 0; round < 20; ++round) {
    const std::vector<float> values(million, static_cast<float>(round));
    gpus->copy_to_device(0, memory, values.data(), 4 * million, HostMemory::pageable, nullptr);
    gpus->copy_to_device(0, memory, values.data(), 2 * million, HostMemory::pageable, nullptr);
  }
  EXPECT_EQ(gpus.read(0, memory, million), std::vector<float>(million, 19));
}

TEST(VirtualGpu, CopiesToPeersUnlessPeerAccessIsOff) {
  const VirtualRig gpus;
  void* const here = gpus.allocate(0, 6);
  void* const there = gpus.allocate(1, 6);
  gpus.fill(0, here, 6, 7);
  gpus.fill(1, there, 6, 0);
  gpus->synchronize(1);
  EXPECT_TRUE(gpus->can_access_peer(0, 1));
  gpus->copy_to_peer(0, 1, there, here, 24, nullptr);
  gpus->synchronize(0);
  EXPECT_EQ(gpus.read(1, there, 6), std::vector<float>(6, 7));

  backend::set_virtual_peer_access(false);
  EXPECT_FALSE(gpus->can_access_peer(0, 1));
  EXPECT_TRUE(gpus->can_access_peer(1, 1));
  EXPECT_THROW(gpus->copy_to_peer(0, 1, there, here, 24, nullptr), DeviceError);
  backend::set_virtual_peer_access(true);
}

TEST(VirtualGpu, RefusesAKernelThatDoesNotExist) {
  const VirtualRig gpus;
  backend::KernelArguments arguments{};
  arguments.operand_count = 2;
  arguments.operands[0].dtype = kBool;
  arguments.operands[1].dtype = kBool;
  EXPECT_TRUE(contains(message_of<TypeError>([&] { gpus->launch(0, backend::Operation::log, arguments, nullptr); }),
                       "\"log_cuda\" not implemented for 'Bool'"));
  gpus->synchronize(0);
}

TEST(VirtualGpu, FillsSpansWithTheTimeOnTheDevice) {
  const VirtualRig gpus;
  void* const memory = gpus.allocate(0, million);
  const auto span = std::make_shared<backend::Span>();
  const std::vector<float> values(million, 1);
  gpus.hold(0);
  gpus->copy_to_device(0, memory, values.data(), 4 * million, HostMemory::pageable, span);
  EXPECT_EQ(span->began.load(), -1);
  const auto released = std::chrono::steady_clock::now().time_since_epoch();
  gpus.release(0);
  gpus->synchronize(0);
  EXPECT_GE(span->began.load(), std::chrono::nanoseconds(released).count());
  EXPECT_GT(span->ended.load(), span->began.load());
}

TEST(VirtualGpu, TwoWorkAtTheSameTime) {
  const VirtualRig gpus;
  gpus.hold(0);
  void* const slow = gpus.allocate(0, 10);
  void* const fast = gpus.allocate(1, 10);
  gpus.fill(0, slow, 10, 1);
  gpus.fill(1, fast, 10, 2);
  const auto pending = gpus->record(0);
  EXPECT_EQ(gpus.read(1, fast, 10), std::vector<float>(10, 2));
  EXPECT_FALSE(pending->done());
  gpus.release(0);
  EXPECT_EQ(gpus.read(0, slow, 10), std::vector<float>(10, 1));
}

TEST(VirtualGpu, ManyThreadsMayUseIt) {
  const VirtualRig gpus(4);
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 8; ++thread) {
    threads.emplace_back([&gpus, thread] {
      for (int round = 0; round < 50; ++round) {
        const int device = (thread + round) % 4;
        void* const memory = gpus.allocate(device, 100 + round);
        gpus.fill(device, memory, 100 + round, thread);
        const auto mark = gpus->record(device);
        const auto values = gpus.read(device, memory, static_cast<std::size_t>(100 + round));
        EXPECT_TRUE(mark->done());
        EXPECT_EQ(values.back(), static_cast<float>(thread));
        gpus->release(device, memory, static_cast<std::size_t>(400 + 4 * round));
      }
    });
  }
  for (auto& thread : threads) thread.join();
  for (int device = 0; device < 4; ++device) EXPECT_EQ(gpus->memory(device).blocks, 0);
}

}  // namespace
}  // namespace d2l::tests
