// SPDX-License-Identifier: MIT
// The backend of physical cards, with CUDA and without: what it says where there is no card, and what a card does.
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <vector>

#include "backend/backend.h"
#include "backend/nvidia_machine.h"
#include "d2l/error.h"
#include "gtest/gtest.h"

namespace d2l::backend {
namespace {

TEST(PhysicalCards, AreAskedForWithoutFail) {
  EXPECT_GE(cuda_backend().device_count(), 0);
  EXPECT_EQ(cuda_driver_info().diagnosis.empty(), cuda_backend().device_count() > 0);
}

TEST(PhysicalCards, ThatAreNotThereAreRefused) {
  Backend& backend = cuda_backend();
  const int missing = backend.device_count();
  KernelArguments arguments{};
  EXPECT_THROW(static_cast<void>(backend.properties(missing)), DeviceError);
  EXPECT_THROW(static_cast<void>(backend.memory(missing)), DeviceError);
  EXPECT_THROW(backend.allocate(missing, 4), DeviceError);
  EXPECT_THROW(backend.launch(missing, Operation::add, arguments, nullptr), DeviceError);
  EXPECT_THROW(backend.copy_to_device(missing, nullptr, nullptr, 4, HostMemory::pageable, nullptr), DeviceError);
  EXPECT_THROW(backend.copy_to_host(missing, nullptr, nullptr, 4, HostMemory::pageable, nullptr), DeviceError);
  EXPECT_THROW(static_cast<void>(backend.record(missing)), DeviceError);
  EXPECT_THROW(backend.synchronize(missing), DeviceError);
  EXPECT_THROW(backend.hold(missing), DeviceError);
  backend.release(missing, nullptr, 0);
  const int on_the_host = 0;
  EXPECT_EQ(backend.owner(&on_the_host), std::nullopt);
}

TEST(PhysicalCards, AreCutIntoSlicesWhereThereIsOne) {
  EXPECT_EQ(make_card_slices(2, 1 << 20) == nullptr, cuda_backend().device_count() == 0);
}

class FakePciBus : public ::testing::Test {
 protected:
  FakePciBus() { std::filesystem::create_directories(folder_); }
  ~FakePciBus() override { std::filesystem::remove_all(folder_); }
  void plug_in(const std::string& address, const std::string& vendor, const std::string& kind) const {
    std::filesystem::create_directories(folder_ / address);
    std::ofstream(folder_ / address / "vendor") << vendor << '\n';
    std::ofstream(folder_ / address / "class") << kind << '\n';
  }
  const std::filesystem::path folder_ =
      std::filesystem::path(::testing::TempDir()) /
      ("pci_" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
};

TEST_F(FakePciBus, ShowsAnNvidiaCard) {
  plug_in("0000:00:1f.3", "0x10de", "0x040300");  // its sound device
  plug_in("0000:02:00.0", "0x8086", "0x030000");  // another maker's card
  EXPECT_EQ(visible_nvidia_card(folder_), "");
  plug_in("0000:01:00.0", "0x10de", "0x030200");
  EXPECT_EQ(visible_nvidia_card(folder_), "0000:01:00.0");
  EXPECT_EQ(visible_nvidia_card(folder_ / "missing"), "");
}

TEST(NvidiaDriver, SaysItsVersion) {
  EXPECT_EQ(version_in("NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.104.05  Sat Aug 19 01:15:15 UTC 2023"),
            "535.104.05");
  EXPECT_EQ(version_in("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  570.86.10  Release Build"),
            "570.86.10");
  EXPECT_EQ(version_in(""), "");
}

// Physical cards, then slices of them: the same work on each.
class Card : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (cuda_backend().device_count() == 0) GTEST_SKIP() << cuda_driver_info().diagnosis;
    if (is_sliced()) slices_ = make_card_slices(2, std::int64_t{64} << 20);
    backend_ = is_sliced() ? slices_.get() : &cuda_backend();
  }
  [[nodiscard]] static bool is_sliced() { return std::string(GetParam()) == "slices"; }

  /// `count` floats of `value` on device 0, by a kernel.
  void* filled(std::int64_t count, double value) {
    void* memory = backend_->allocate(0, static_cast<std::size_t>(count) * sizeof(float));
    launch_fill(0, memory, count, value);
    return memory;
  }
  void launch_fill(int device, void* memory, std::int64_t count, double value) {
    KernelArguments arguments{};
    arguments.rank = 1;
    arguments.operand_count = 2;
    arguments.sizes[0] = count;
    arguments.operands[0].data = memory;
    arguments.operands[0].extent = count * static_cast<std::int64_t>(sizeof(float));
    arguments.operands[0].strides[0] = 1;
    arguments.operands[1].immediate.real = value;
    backend_->launch(device, Operation::fill, arguments, nullptr);
  }
  std::vector<float> read(const void* memory, std::size_t count, int device = 0) {
    std::vector<float> host(count);
    backend_->copy_to_host(device, host.data(), memory, count * sizeof(float), HostMemory::pageable, nullptr);
    backend_->synchronize(device);
    return host;
  }

  std::unique_ptr<Backend> slices_;
  Backend* backend_ = nullptr;
};

TEST_P(Card, SaysWhatItIs) {
  const DeviceProperties properties = backend_->properties(0);
  EXPECT_EQ(properties.kind, is_sliced() ? DeviceKind::virtual_gpu_on_card : DeviceKind::physical_gpu);
  EXPECT_EQ(properties.name.rfind("Virtual GPU 0 (slice of ", 0) == 0, is_sliced());
  EXPECT_GT(properties.multiprocessors, 0);
  EXPECT_GT(properties.total_memory, 0);
  EXPECT_FALSE(properties.bus_id.empty());
}

TEST_P(Card, RunsKernelsAndCopiesInOrder) {
  constexpr std::size_t count = 100'000;
  std::vector<float> host(count);
  std::iota(host.begin(), host.end(), 0.0F);
  const std::vector<float> expected = host;
  void* memory = filled(count, 7);
  EXPECT_EQ(read(memory, count), std::vector<float>(count, 7.0F));
  backend_->copy_to_device(0, memory, host.data(), count * sizeof(float), HostMemory::pageable, nullptr);
  std::fill(host.begin(), host.end(), -1.0F);  // it has been read
  EXPECT_EQ(read(memory, count), expected);
  backend_->release(0, memory, count * sizeof(float));
}

TEST_P(Card, KnowsItsMemory) {
  void* memory = backend_->allocate(0, 1000);
  const int on_the_host = 0;
  void* pinned = backend_->allocate_pinned(1000);
  EXPECT_EQ(backend_->owner(memory), 0);
  EXPECT_EQ(backend_->owner(static_cast<char*>(memory) + 999), 0);
  EXPECT_EQ(backend_->owner(&on_the_host), std::nullopt);
  EXPECT_EQ(backend_->owner(pinned), std::nullopt);
  EXPECT_EQ(backend_->memory(0).requested, 1000);
  EXPECT_EQ(backend_->memory(0).blocks, 1);
  backend_->release_pinned(pinned, 1000);
  backend_->release(0, memory, 1000);
  EXPECT_EQ(backend_->memory(0).requested, 0);
}

TEST_P(Card, RunsOutOfMemoryAndGoesOn) {
  void* memory = filled(1000, 3);
  const auto too_much = static_cast<std::size_t>(backend_->memory(0).total) + 1;
  EXPECT_THROW(backend_->allocate(0, too_much), OutOfMemoryError);
  EXPECT_EQ(read(memory, 1000), std::vector<float>(1000, 3.0F));
  backend_->release(0, memory, 1000 * sizeof(float));
}

TEST_P(Card, HoldsItsQueue) {
  void* memory = filled(10, 1);
  backend_->synchronize(0);
  backend_->hold(0);
  launch_fill(0, memory, 10, 2);
  const auto mark = backend_->record(0);
  EXPECT_FALSE(mark->done());
  EXPECT_THROW(backend_->synchronize(0), DeviceError);
  EXPECT_THROW(mark->wait(), DeviceError);
  backend_->let_go(0);
  mark->wait();
  EXPECT_TRUE(mark->done());
  EXPECT_EQ(read(memory, 10), std::vector<float>(10, 2.0F));
  backend_->release(0, memory, 10 * sizeof(float));
}

TEST_P(Card, TellsWhenWorkRan) {
  const auto now = [] {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
  };
  constexpr std::int64_t tolerance = 1'000'000;
  std::vector<float> host(1 << 20);
  void* memory = backend_->allocate(0, host.size() * sizeof(float));
  const auto span = std::make_shared<Span>();
  const std::int64_t before = now();
  backend_->copy_to_device(0, memory, host.data(), host.size() * sizeof(float), HostMemory::pageable, span);
  backend_->synchronize(0);
  const std::int64_t after = now();
  span->resolve();
  EXPECT_GE(span->began.load(), before - tolerance);
  EXPECT_GT(span->ended.load(), span->began.load());
  EXPECT_LE(span->ended.load(), after + tolerance);
  backend_->release(0, memory, host.size() * sizeof(float));
}

INSTANTIATE_TEST_SUITE_P(Physical, Card, ::testing::Values("cards", "slices"),
                         [](const auto& which) { return std::string(which.param); });

class Slices : public Card {};

TEST_P(Slices, StopAtTheirLimit) {
  void* memory = backend_->allocate(0, std::size_t{63} << 20);
  EXPECT_THROW(backend_->allocate(0, std::size_t{2} << 20), OutOfMemoryError);
  void* neighbour = backend_->allocate(1, std::size_t{63} << 20);
  EXPECT_EQ(backend_->owner(memory), 0);
  EXPECT_EQ(backend_->owner(neighbour), 1);
  backend_->release(0, memory, std::size_t{63} << 20);
  backend_->release(1, neighbour, std::size_t{63} << 20);
}

TEST_P(Slices, AreLostForTheMemoryOfAnother) {
  void* foreign = backend_->allocate(1, 40);
  launch_fill(1, foreign, 10, 5);
  launch_fill(0, foreign, 10, 6);  // accepted, and found at the synchronisation
  EXPECT_THROW(backend_->synchronize(0), FatalDeviceError);
  EXPECT_THROW(backend_->allocate(0, 4), FatalDeviceError);
  EXPECT_EQ(read(foreign, 10, 1), std::vector<float>(10, 5.0F));
}

TEST_P(Slices, AreLostForAnInjectedFault) {
  backend_->inject_fault(1, "CUDA error: device-side assert triggered");
  EXPECT_THROW(backend_->synchronize(1), FatalDeviceError);
  EXPECT_THROW(static_cast<void>(backend_->record(1)), FatalDeviceError);
  backend_->synchronize(0);
}

INSTANTIATE_TEST_SUITE_P(Physical, Slices, ::testing::Values("slices"),
                         [](const auto& which) { return std::string(which.param); });

}  // namespace
}  // namespace d2l::backend
