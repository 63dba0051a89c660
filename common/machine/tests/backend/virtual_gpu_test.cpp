// SPDX-License-Identifier: MIT
// Virtual GPUs behave as GPUs: memory that the host cannot read, work in a queue, limits.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>

#include "backend/rig.h"
#include "messages.h"

namespace d2l::tests {
namespace {

using backend::HostMemory;

constexpr std::int64_t million = 1'000'000;

class VirtualGpu : public ::testing::Test {
 protected:
  const VirtualRig gpus;
};

TEST(VirtualGpuDeathTest, HostAccessToDeviceMemoryFaultsAndSaysWhy) {
  const VirtualRig gpus;
  auto* const address = static_cast<volatile float*>(gpus.allocate(1, 6));
  gpus->synchronize(1);
  EXPECT_DEATH(static_cast<void>(address[0]), "host code read memory of cuda:1 \\(virtual GPU\\) at 0x[0-9a-f]+; copy");
  EXPECT_DEATH(address[0] = 1, "memory of cuda:1 \\(virtual GPU\\)");
}

TEST(VirtualGpuDeathTest, OtherFaultsCallThePreviousHandler) {
  EXPECT_EXIT(
      {
        std::signal(SIGSEGV, [](int) { std::_Exit(7); });
        const VirtualRig gpus;
        std::raise(SIGSEGV);
      },
      ::testing::ExitedWithCode(7), "^$");
}

TEST_F(VirtualGpu, SaysWhatItIs) {
  EXPECT_EQ(gpus->device_count(), 2);
  const auto properties = gpus->properties(1);
  EXPECT_EQ(properties.name, "Virtual GPU 1 (host memory, 1 core)");
  EXPECT_EQ(properties.kind, DeviceKind::virtual_gpu_on_host);
  EXPECT_EQ(properties.total_memory, std::int64_t{64} << 20);
  EXPECT_EQ(properties.multiprocessors, 1);
}

TEST_F(VirtualGpu, ComputesAndCopies) {
  const std::vector<float> values{1, 2, 3, 4, 5};
  void* const a = gpus.allocate(0, 5);
  void* const c = gpus.allocate(0, 5);
  gpus->copy_to_device(0, a, values.data(), 20, HostMemory::pageable, nullptr);
  gpus.add(0, c, a, gpus.filled(0, 5, 10), 5);
  EXPECT_EQ(gpus.read(0, c, 5), (std::vector<float>{11, 12, 13, 14, 15}));
}

TEST_F(VirtualGpu, KnowsWhoOwnsAnAddress) {
  const float host = 0;
  auto* const first = static_cast<char*>(gpus.allocate(0, 6));
  EXPECT_EQ(gpus->owner(first), 0);
  EXPECT_EQ(gpus->owner(first + 23), 0);
  EXPECT_EQ(gpus->owner(gpus.allocate(1, 6)), 1);
  EXPECT_EQ(gpus->owner(&host), std::nullopt);
  EXPECT_EQ(gpus->owner(nullptr), std::nullopt);
}

TEST_F(VirtualGpu, FreshMemoryIsNotZero) {
  const auto memory = gpus.read<std::uint8_t>(0, gpus.allocate(0, million), 4 * million);
  EXPECT_EQ(std::count(memory.begin(), memory.end(), 0), 0);
  const auto floats = gpus.read(0, gpus.allocate(0, 1000), 1000);
  EXPECT_TRUE(std::all_of(floats.begin(), floats.end(), [](float value) { return std::isnan(value); }));
}

TEST_F(VirtualGpu, RecycledMemoryHoldsWhatWasThere) {
  void* const first = gpus.filled(0, 1000, 3);
  gpus->release(0, first, 4000);
  void* const second = gpus.allocate(0, 1000);
  ASSERT_EQ(first, second);
  EXPECT_EQ(gpus.read(0, second, 1000), std::vector<float>(1000, 3));
}

TEST_F(VirtualGpu, PageableMemoryIsReadWhenTheCopyIsIssuedAndPinnedMemoryWhenItRuns) {
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

TEST_F(VirtualGpu, CopiesLargePageableMemoryManyTimes) {
  void* const memory = gpus.allocate(0, million);
  for (int round = 0; round < 20; ++round) {
    const std::vector<float> values(million, static_cast<float>(round));
    gpus->copy_to_device(0, memory, values.data(), 4 * million, HostMemory::pageable, nullptr);
    gpus->copy_to_device(0, memory, values.data(), 2 * million, HostMemory::pageable, nullptr);
  }
  EXPECT_EQ(gpus.read(0, memory, million), std::vector<float>(million, 19));
}

TEST_F(VirtualGpu, CopiesToPeersUnlessPeerAccessIsOff) {
  void* const here = gpus.filled(0, 6, 7);
  void* const there = gpus.filled(1, 6, 0);
  gpus->synchronize(1);
  EXPECT_TRUE(gpus->can_access_peer(0, 1));
  gpus->copy_to_peer(0, 1, there, here, 24, nullptr);
  gpus->synchronize(0);
  EXPECT_EQ(gpus.read(1, there, 6), std::vector<float>(6, 7));

  gpus.set_peer_access(false);
  EXPECT_FALSE(gpus->can_access_peer(0, 1));
  EXPECT_TRUE(gpus->can_access_peer(1, 1));
  EXPECT_THROW(gpus->copy_to_peer(0, 1, there, here, 24, nullptr), DeviceError);
  gpus.set_peer_access(true);
}

TEST_F(VirtualGpu, FillsSpansWithTheTimeOnTheDevice) {
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

}  // namespace
}  // namespace d2l::tests
