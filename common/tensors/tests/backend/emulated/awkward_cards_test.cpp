// SPDX-License-Identifier: MIT
// The CUDA backend on emulated cards that cause trouble. Each test has a process of its own.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <thread>
#include <vector>

#include "backend/backend.h"
#include "backend/card_rig.h"
#include "backend/cuda/queue/clock.h"
#include "backend/emulated/new_process.h"
#include "d2l_emulator/awkward.h"
#include "every_device.h"
#include "messages.h"
#include "runtime/runtime.h"

namespace d2l::backend {
namespace {

using emulator::awkward;
using emulator::blocking_calls;
using emulator::has_context;
using tests::rig;
using tests::throws;

class AwkwardCards : public ::testing::Test {
 protected:
  void SetUp() override {
    setenv("D2L_EMULATED_CARDS", "2:64MiB", 0);
    if (cuda_backend().device_count() < 2) GTEST_SKIP() << "needs two emulated cards";
  }
};

TEST(EmulatedCards, AreAsManyAsAskedFor) {
  const char* const asked = std::getenv("D2L_EMULATED_CARDS");
  EXPECT_EQ(cuda_backend().device_count(), asked == nullptr ? 0 : std::atoi(asked));
}

TEST_F(AwkwardCards, SynchronisingAllDevicesCreatesNoContext) {
  EXPECT_IN_NEW_PROCESS([] {
    static_cast<void>(rig().filled(0, 10, 1));
    synchronize();
    return has_context(0) && !has_context(1);
  });
}

TEST_F(AwkwardCards, WorkOfOneCreatesNoContextOnAnother) {
  EXPECT_IN_NEW_PROCESS([] {
    static_cast<void>(rig().filled(1, 10, 1));
    return has_context(1) && !has_context(0);
  });
}

TEST_F(AwkwardCards, OccupiedOneDoesNotDisturbAnother) {
  EXPECT_IN_NEW_PROCESS([] {
    awkward().occupied = 0;
    void* const memory = rig().filled(1, 10, 1);
    return rig().read(1, memory, 10) == std::vector<float>(10, 1);
  });
}

TEST_F(AwkwardCards, OccupiedOneNamesTheReason) {
  EXPECT_IN_NEW_PROCESS([] {
    awkward().occupied = 0;
    const auto message = tests::message_of<Error>([] { cuda_backend().allocate(0, 4); });
    return message.find("another program uses the card exclusively") != std::string::npos;
  });
}

TEST_F(AwkwardCards, WithoutPeerAccessCopyThroughTheHost) {
  EXPECT_IN_NEW_PROCESS([] {
    awkward().no_peer_access = true;
    const Tensor x = arange(1000.0, gpu(0));
    const TransferLedger ledger;
    const Tensor y = x.cuda(1);
    return !cuda_backend().can_access_peer(0, 1) && ledger.synchronisations() == 0 &&
           ledger.copies(Direction::device_to_device) == 0 && y.to_vector<float>() == x.to_vector<float>();
  });
}

TEST_F(AwkwardCards, AreAskedForPeerAccessAgainAfterAnError) {
  EXPECT_IN_NEW_PROCESS([] {
    awkward().no_peer_access = false;
    awkward().occupied = 1;
    const bool failed = throws<Error>([] { static_cast<void>(cuda_backend().can_access_peer(0, 1)); });
    awkward().occupied = -1;
    return failed && cuda_backend().can_access_peer(0, 1);
  });
}

TEST_F(AwkwardCards, AreCountedInTheNoticeOfTheirSlices) {
  EXPECT_IN_NEW_PROCESS([] {
    setenv("D2L_VIRTUAL_GPUS", "2:16MiB", 1);
    return detail::virtual_gpu_notice().find("2 virtual GPUs (slices of 2 cards) stand in") != std::string::npos;
  });
}

TEST_F(AwkwardCards, AllocationBeyondTheMemoryIsOutOfMemory) {
  EXPECT_IN_NEW_PROCESS([] {
    awkward().too_large_is_invalid = true;
    const auto total = static_cast<std::size_t>(cuda_backend().properties(0).total_memory);
    return throws<OutOfMemoryError>([&] { cuda_backend().allocate(0, total + 1); });
  });
}

TEST_F(AwkwardCards, FatalErrorOfALaunchLosesTheDevice) {
  EXPECT_IN_NEW_PROCESS([] {
    void* const memory = rig().allocate(0, 10);
    awkward().next_launch = cudaErrorIllegalAddress;
    return throws<FatalDeviceError>([&] { rig().fill(0, memory, 10, 1); }) &&
           throws<FatalDeviceError>([] { cuda_backend().allocate(0, 4); });
  });
}

TEST_F(AwkwardCards, DriftingClockKeepsTimesWithinTheWait) {
  EXPECT_IN_NEW_PROCESS([] {
    awkward().clock_drift = 5000;  // a tenth of a second has the error of ten seconds at 50 ppm
    std::vector<float> host(1000);
    void* const memory = rig().filled(0, 1000, 1);
    const auto run = [&] {
      const auto span = std::make_shared<Span>();
      const std::int64_t before = steady_nanoseconds();
      cuda_backend().copy_to_device(0, memory, host.data(), host.size() * sizeof(float), HostMemory::pageable, span);
      cuda_backend().synchronize(0);
      const std::int64_t after = steady_nanoseconds();
      span->resolve();
      constexpr std::int64_t tolerance = 100'000;  // an error of the drift is five times that
      return before <= span->began && span->began <= span->ended && span->ended <= after + tolerance;
    };
    static_cast<void>(run());
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    // On a busy machine the clocks may be compared late.
    bool right = false;
    for (int attempt = 0; attempt < 10 && !right; ++attempt) right = run();
    return right;
  });
}

TEST_F(AwkwardCards, TimesEndBeforeTheWaitForTheWork) {
  EXPECT_IN_NEW_PROCESS([] {
    const auto clock = std::make_shared<cuda::Clock>();
    cudaStream_t stream = nullptr;
    cudaStreamCreate(&stream);
    static_cast<void>(clock->begin(stream));  // measures the clock
    emulator::stall(0, true);
    Span span;
    clock->end(stream, clock->begin(stream), span);
    const std::int64_t issued = steady_nanoseconds();
    clock->note_wait(issued);  // as if the work had ended: the card's clock will tell a later time
    const std::int64_t waited = steady_nanoseconds();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    emulator::stall(0, false);
    cudaStreamSynchronize(stream);
    span.resolve();
    return span.began >= 0 && span.began <= span.ended && span.ended <= waited;
  });
}

TEST_F(AwkwardCards, MemoryFreedInAStreamIsPoisoned) {
  EXPECT_IN_NEW_PROCESS([] {
    awkward().poison_freed = true;
    constexpr std::int64_t count = 1 << 20;  // too large for the cache of small blocks
    void* const memory = rig().filled(0, count, 1);
    cuda_backend().release(0, memory, 4 * count);
    cuda_backend().synchronize(0);
    void* const again = cuda_backend().allocate(0, 4 * count);
    const auto words = rig().read<std::uint32_t>(0, again, 1000);
    return again == memory && words == std::vector<std::uint32_t>(1000, 0xDBDBDBDB);
  });
}

TEST_F(AwkwardCards, UnloadedRuntimeFailsCallsButNoDestructor) {
  EXPECT_IN_NEW_PROCESS([] {
    static const Tensor kept = ones({1000}, gpu(0));  // destroyed after the handler
    static const Event event = [] {
      Event recorded;
      recorded.record(gpu(0));
      return recorded;
    }();
    std::atexit([] { awkward().unloaded = true; });
    synchronize();
    void* const memory = cuda_backend().allocate(0, 4);
    awkward().unloaded = true;
    cuda_backend().release(0, memory, 4);
    const bool refused = throws<Error>([] { cuda_backend().allocate(0, 4); });
    awkward().unloaded = false;
    return refused;
  });
}

/// The host waits in `work` if and only if the ledger says so.
bool blocks_as_the_ledger_says(const char* name, const std::function<void()>& work) {
  work();  // what is allocated and measured once
  synchronize();
  const TransferLedger ledger;
  const std::int64_t before = blocking_calls();
  work();
  const std::int64_t blocked = blocking_calls() - before;
  const std::int64_t waits = ledger.synchronisations();
  const bool right = waits == 0 ? blocked == 0 : blocked >= waits;
  if (!right) {
    std::fprintf(stderr, "%s: %lld calls blocked the host, and the ledger has %lld waits\n", name,
                 static_cast<long long>(blocked), static_cast<long long>(waits));
  }
  return right;
}

TEST_F(AwkwardCards, BlockTheHostAsTheLedgerSays) {
  EXPECT_IN_NEW_PROCESS([] {
    {
      const TransferLedger ledger;  // the first one measures the clocks
      static_cast<void>(ones({10}, gpu(0)).cuda(1));
      synchronize();
    }
    const Tensor x = ones({1000}, gpu(0));
    const Tensor host = ones({1000});
    const Tensor pinned = ones({1000}).pin_memory();
    Event event;
    const std::pair<const char*, std::function<void()>> works[] = {
        {"add", [&] { static_cast<void>(x + x); }},
        {"reduce", [&] { static_cast<void>(x.sum()); }},
        {"product",
         [&] {
           static_cast<void>(x.view({10, 100}).mm(x.view({100, 10})));
         }},
        {"item", [&] { static_cast<void>(x.sum().item<float>()); }},
        {"to host", [&] { static_cast<void>(x.cpu()); }},
        {"to pinned memory", [&] { static_cast<void>(x.to(cpu(), kFloat, true)); }},
        {"from pinned memory", [&] { static_cast<void>(pinned.to(gpu(0), kFloat, true)); }},
        {"from pageable memory", [&] { static_cast<void>(host.cuda(0)); }},
        {"between cards", [&] { static_cast<void>(x.cuda(1)); }},
        {"event", [&] { event.record(gpu(0)), event.block(gpu(1)), event.synchronize(); }},
        {"synchronize", [] { synchronize(gpu(0)); }},
    };
    bool all_right = true;
    for (const auto& [name, work] : works) all_right = blocks_as_the_ledger_says(name, work) && all_right;
    return all_right;
  });
}

/// Cards that use pageable memory, which the backend asks for when it looks for cards.
class PageableMemory : public AwkwardCards {
 protected:
  void SetUp() override {
    setenv("D2L_AWKWARD_CARDS", "uses_pageable_memory", 1);
    AwkwardCards::SetUp();
  }
  void TearDown() override { unsetenv("D2L_AWKWARD_CARDS"); }
};

TEST_F(PageableMemory, IsReadBeforeTheCallReturns) {
  EXPECT_IN_NEW_PROCESS([] {
    constexpr std::size_t count = 1'000'000;
    for (const std::size_t part : {std::size_t{10}, count}) {
      void* const memory = rig().allocate(0, count);
      for (int i = 0; i < 20; ++i) rig().fill(0, memory, count, 1);  // the copy is late
      std::vector<float> host(part, 2);
      cuda_backend().copy_to_device(0, memory, host.data(), part * 4, HostMemory::pageable, nullptr);
      std::ranges::fill(host, 3.0F);
      if (rig().read(0, memory, part) != std::vector<float>(part, 2)) return false;
    }
    return awkward().uses_pageable_memory.load();
  });
}

TEST_F(PageableMemory, IsWrittenWhenTheQueueRunsTheCopy) {
  EXPECT_IN_NEW_PROCESS([] {
    constexpr std::size_t count = 1'000'000;
    void* const memory = rig().allocate(0, count);
    for (int i = 0; i < 20; ++i) rig().fill(0, memory, count, i);
    return rig().read(0, memory, count) == std::vector<float>(count, 19) && awkward().uses_pageable_memory;
  });
}

/// The work begins when the streams are let go, and has ended when the host has waited for it. The clock is off by
/// 200 microseconds after these four seconds.
bool is_right_with_drift(double parts_per_million) {
  constexpr std::int64_t tolerance = 60'000;
  constexpr auto moment = std::chrono::milliseconds(50);
  awkward().clock_drift = parts_per_million;
  std::vector<float> host(1000);
  void* const memory = rig().filled(0, 1000, 1);
  const auto copy = [&] {
    const auto span = std::make_shared<Span>();
    cuda_backend().copy_to_device(0, memory, host.data(), host.size() * sizeof(float), HostMemory::pageable, span);
    return span;
  };
  static_cast<void>(copy());  // measures the first anchor
  cuda_backend().synchronize(0);
  std::this_thread::sleep_for(std::chrono::seconds(4));
  emulator::stall(0, true);
  const auto span = copy();
  std::this_thread::sleep_for(moment);
  const std::int64_t released = steady_nanoseconds();
  emulator::stall(0, false);
  cuda_backend().synchronize(0);
  const std::int64_t done = steady_nanoseconds();
  std::this_thread::sleep_for(moment);
  span->resolve();
  std::fprintf(stderr, "began %ld ns after the release, ended %ld ns before the end of the wait\n",
               static_cast<long>(span->began - released), static_cast<long>(done - span->ended));
  return released - tolerance <= span->began && span->began <= span->ended && span->ended <= done + tolerance;
}

TEST_F(AwkwardCards, SlowClockGivesTimesToTheMicrosecond) {
  EXPECT_IN_NEW_PROCESS([] { return is_right_with_drift(-50); });
}

TEST_F(AwkwardCards, FastClockGivesTimesToTheMicrosecond) {
  EXPECT_IN_NEW_PROCESS([] { return is_right_with_drift(50); });
}

}  // namespace
}  // namespace d2l::backend
