// SPDX-License-Identifier: MIT
// The backend of physical cards, with and without CUDA: its errors without a card, and how a card works.
#include <algorithm>
#include <numeric>
#include <vector>

#include "backend/backend.h"
#include "backend/card_rig.h"
#include "backend/nvidia_machine.h"
#include "d2l/error.h"
#include "gtest/gtest.h"
#include "temporary_folder.h"

namespace d2l::backend {
namespace {

TEST(PhysicalCards, AreCountedWithoutErrors) {
  EXPECT_GE(cuda_backend().device_count(), 0);
  EXPECT_EQ(cuda_driver_info().diagnosis.empty(), cuda_backend().device_count() > 0);
}

TEST(PhysicalCards, ThatDoNotExistAreErrors) {
  Backend& backend = cuda_backend();
  const int missing = backend.device_count();
  KernelArguments arguments{};
  EXPECT_THROW(static_cast<void>(backend.properties(missing)), DeviceError);
  EXPECT_THROW(static_cast<void>(backend.memory(missing)), DeviceError);
  EXPECT_THROW(backend.allocate(missing, 4), DeviceError);
  EXPECT_THROW(backend.launch(missing, {"add", nullptr}, arguments, nullptr), DeviceError);
  EXPECT_THROW(backend.copy_to_device(missing, nullptr, nullptr, 4, HostMemory::pageable, nullptr), DeviceError);
  EXPECT_THROW(backend.copy_to_host(missing, nullptr, nullptr, 4, HostMemory::pageable, nullptr), DeviceError);
  EXPECT_THROW(static_cast<void>(backend.record(missing)), DeviceError);
  EXPECT_THROW(backend.synchronize(missing), DeviceError);
  if (auto* const switches = dynamic_cast<TestSwitches*>(&backend)) {
    EXPECT_THROW(switches->hold_queue(missing), DeviceError);
  }
  backend.release(missing, nullptr, 0);
  const int on_the_host = 0;
  EXPECT_EQ(backend.owner(&on_the_host), std::nullopt);
}

TEST(PhysicalCards, AreDividedIntoSlices) {
  EXPECT_EQ(make_card_slices(2, 1 << 20) == nullptr, cuda_backend().device_count() == 0);
}

TEST(FakePciBus, ShowsAnNvidiaCard) {
  const tests::TemporaryFolder bus;
  const auto plug_in = [&](const std::string& address, const std::string& vendor, const std::string& kind) {
    bus.write(address + "/vendor", vendor + '\n');
    bus.write(address + "/class", kind + '\n');
  };
  plug_in("0000:00:1f.3", "0x10de", "0x040300");  // its sound device
  plug_in("0000:02:00.0", "0x8086", "0x030000");  // another maker's card
  EXPECT_EQ(visible_nvidia_card(bus.path()), "");
  plug_in("0000:01:00.0", "0x10de", "0x030200");
  EXPECT_EQ(visible_nvidia_card(bus.path()), "0000:01:00.0");
  EXPECT_EQ(visible_nvidia_card(bus / "missing"), "");
}

TEST(NvidiaDriver, SaysItsVersion) {
  EXPECT_EQ(version_in("NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.104.05  Sat Aug 19 01:15:15 UTC 2023"),
            "535.104.05");
  EXPECT_EQ(version_in("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  570.86.10  Release Build"),
            "570.86.10");
  EXPECT_EQ(version_in(""), "");
}

// The same work on physical cards and on slices of them.
class Card : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (cuda_backend().device_count() == 0) GTEST_SKIP() << cuda_driver_info().diagnosis;
    const auto unowned = std::shared_ptr<Backend>(&cuda_backend(), [](Backend*) {});
    gpus_.emplace(is_sliced() ? std::shared_ptr<Backend>(make_card_slices(2, std::int64_t{64} << 20)) : unowned);
  }
  [[nodiscard]] static bool is_sliced() { return std::string(GetParam()) == "slices"; }
  [[nodiscard]] const tests::CardRig& gpus() const { return *gpus_; }

 private:
  std::optional<tests::CardRig> gpus_;
};

TEST_P(Card, SaysWhatItIs) {
  const DeviceProperties properties = gpus()->properties(0);
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
  void* memory = gpus().filled(0, count, 7);
  EXPECT_EQ(gpus().read(0, memory, count), std::vector<float>(count, 7.0F));
  gpus()->copy_to_device(0, memory, host.data(), count * sizeof(float), HostMemory::pageable, nullptr);
  std::fill(host.begin(), host.end(), -1.0F);  // it has been read
  EXPECT_EQ(gpus().read(0, memory, count), expected);
  gpus()->release(0, memory, count * sizeof(float));
}

TEST_P(Card, OwnsItsMemory) {
  void* memory = gpus()->allocate(0, 1000);
  const int on_the_host = 0;
  void* pinned = gpus()->allocate_pinned(1000);
  EXPECT_EQ(gpus()->owner(memory), 0);
  EXPECT_EQ(gpus()->owner(static_cast<char*>(memory) + 999), 0);
  EXPECT_EQ(gpus()->owner(&on_the_host), std::nullopt);
  EXPECT_EQ(gpus()->owner(pinned), std::nullopt);
  gpus()->release_pinned(pinned, 1000);
  gpus()->release(0, memory, 1000);
}

TEST_P(Card, MeasuresWhenWorkRan) {
  constexpr std::int64_t tolerance = 1'000'000;
  std::vector<float> host(1 << 20);
  void* memory = gpus()->allocate(0, host.size() * sizeof(float));
  const auto span = std::make_shared<Span>();
  const std::int64_t before = steady_nanoseconds();
  gpus()->copy_to_device(0, memory, host.data(), host.size() * sizeof(float), HostMemory::pageable, span);
  gpus()->synchronize(0);
  const std::int64_t after = steady_nanoseconds();
  span->resolve();
  EXPECT_GE(span->began.load(), before - tolerance);
  EXPECT_GT(span->ended.load(), span->began.load());
  EXPECT_LE(span->ended.load(), after + tolerance);
  gpus()->release(0, memory, host.size() * sizeof(float));
}

INSTANTIATE_TEST_SUITE_P(Physical, Card, ::testing::Values("cards", "slices"),
                         [](const auto& which) { return std::string(which.param); });

class Slices : public Card {};

TEST_P(Slices, StopAtTheirLimit) {
  void* memory = gpus()->allocate(0, std::size_t{63} << 20);
  EXPECT_THROW(gpus()->allocate(0, std::size_t{2} << 20), OutOfMemoryError);
  void* neighbour = gpus()->allocate(1, std::size_t{63} << 20);
  EXPECT_EQ(gpus()->owner(memory), 0);
  EXPECT_EQ(gpus()->owner(neighbour), 1);
  gpus()->release(0, memory, std::size_t{63} << 20);
  gpus()->release(1, neighbour, std::size_t{63} << 20);
}

TEST_P(Slices, ComputeAConvolutionBeforeAnyOtherProduct) {
  void* const weight = gpus().filled(0, 1, 3);
  void* const image = gpus().filled(0, 4, 2);
  void* const result = gpus().allocate(0, 4);
  auto arguments = testing::arguments_of(
      {1, 1, 2, 2, 1, 2, 2}, {testing::operand_at(result, 16, kFloat, {}), testing::operand_at(image, 16, kFloat, {}),
                              testing::operand_at(weight, 4, kFloat, {})});
  arguments.window = {.size = {1, 1}, .stride = {1, 1}, .padding = {0, 0}, .dilation = {1, 1}};
  arguments.parameters[0].integer = 1;
  gpus()->launch(0, find_kernel(*gpus(), Operation::conv2d, arguments), arguments, nullptr);
  EXPECT_EQ(gpus().read(0, result, 4), std::vector<float>(4, 6));
}

TEST_P(Slices, HaveNoPeerAccessWhileItIsDisabled) {
  const bool before = gpus()->can_access_peer(0, 1);  // slices of two cards may have none
  gpus().set_peer_access(false);
  EXPECT_FALSE(gpus()->can_access_peer(0, 1));
  EXPECT_TRUE(gpus()->can_access_peer(0, 0));
  gpus().set_peer_access(true);
  EXPECT_EQ(gpus()->can_access_peer(0, 1), before);
}

TEST_P(Slices, AreLostForTheMemoryOfAnother) {
  void* foreign = gpus().filled(1, 10, 5);
  gpus().fill(0, foreign, 10, 6);  // accepted, and found at the synchronisation
  EXPECT_THROW(gpus()->synchronize(0), FatalDeviceError);
  EXPECT_THROW(gpus()->allocate(0, 4), FatalDeviceError);
  EXPECT_EQ(gpus().read(1, foreign, 10), std::vector<float>(10, 5.0F));
}

TEST_P(Slices, AreLostForAnInjectedFault) {
  gpus().inject_fault(1, "CUDA error: device-side assert triggered");
  EXPECT_THROW(gpus()->synchronize(1), FatalDeviceError);
  EXPECT_THROW(static_cast<void>(gpus()->record(1)), FatalDeviceError);
  gpus()->synchronize(0);
}

INSTANTIATE_TEST_SUITE_P(Physical, Slices, ::testing::Values("slices"),
                         [](const auto& which) { return std::string(which.param); });

}  // namespace
}  // namespace d2l::backend
