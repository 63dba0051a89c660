// SPDX-License-Identifier: MIT
// The CUDA backend on emulated cards that cause trouble. Each test has a process of its own.
#include <chrono>
#include <cstdlib>
#include <functional>
#include <thread>
#include <vector>

#include "backend/backend.h"
#include "backend/rig.h"
#include "d2l/device.h"
#include "d2l/error.h"
#include "d2l_emulator/awkward.h"
#include "gtest/gtest.h"

namespace d2l::backend {
namespace {

using emulator::awkward;
using emulator::has_context;

tests::Rig rig() {
  return tests::Rig(std::shared_ptr<Backend>(&cuda_backend(), [](Backend*) {}));
}

/// Ends the process with success if `test` returns true.
[[noreturn]] void end_with(const std::function<bool()>& test) {
  unsetenv("D2L_VIRTUAL_GPUS");
  try {
    std::exit(test() ? 0 : 1);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    std::exit(2);
  }
}
#define EXPECT_IN_NEW_PROCESS(test) EXPECT_EXIT(end_with(test), ::testing::ExitedWithCode(0), "")

class AwkwardCards : public ::testing::Test {
 protected:
  void SetUp() override {
    setenv("D2L_EMULATED_CARDS", "2:64MiB", 0);
    if (cuda_backend().device_count() < 2) GTEST_SKIP() << "needs two emulated cards";
  }
};

template <class ErrorType>
bool throws(const std::function<void()>& work) {
  try {
    work();
  } catch (const ErrorType& error) {
    return typeid(error) == typeid(ErrorType);
  }
  return false;
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

TEST_F(AwkwardCards, AllocationBeyondTheMemoryIsOutOfMemory) {
  EXPECT_IN_NEW_PROCESS([] {
    awkward().too_large_is_invalid = true;
    return throws<OutOfMemoryError>([] { cuda_backend().allocate(0, std::size_t{1} << 30); });
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
      return before <= span->began && span->began <= span->ended && span->ended <= after;
    };
    const bool first = run();
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    return first && run();
  });
}

}  // namespace
}  // namespace d2l::backend
