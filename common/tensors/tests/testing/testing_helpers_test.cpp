// SPDX-License-Identifier: MIT
// The helpers of testing.h on tensors: owners of memory, held queues, delays and faults.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>

#include "d2l/testing.h"
#include "every_device.h"
#include "library.h"
#include "messages.h"

namespace d2l::tests {
namespace {

using testing::every_device;

bool are_virtual_in_host_memory() {
  return num_gpus() > 0 && device_properties(gpu(0)).kind == DeviceKind::virtual_gpu_on_host;
}

/// What the host reads without waiting. The race is intended, so it is hidden from the thread sanitizer.
__attribute__((no_sanitize("thread"))) float first_without_waiting(const Tensor& tensor) {
  return *static_cast<const volatile float*>(testing::data_without_waiting(tensor));
}

/// Whether `call` throws a FatalDeviceError with this message.
template <class Call>
bool is_lost(const Call& call, const std::string& message) {
  return static_cast<bool>(contains(message_of<FatalDeviceError>(call), message));
}

TEST(Placement, IsTheOwnerOfTheMemory) {
  for (const auto& device : every_device()) {
    const auto X = ones({2, 3}, device);
    EXPECT_EQ(testing::owner(X), device);
    EXPECT_EQ(testing::owner(testing::data_without_waiting(X)), device);
    EXPECT_TRUE(testing::placed(X));
    EXPECT_TRUE(testing::placed(X[1]));
    EXPECT_TRUE(testing::placed(empty({0}, device)));
  }
}

TEST(Placement, OfARelabelledTensorIsWrong) {
  for (const auto& device : every_device()) {
    const auto X = ones({2, 3}, device);
    for (const auto& other : every_device()) {
      const auto lie = testing::relabel(X, other);
      EXPECT_EQ(lie.device(), other);
      EXPECT_EQ(testing::owner(lie), device);
      EXPECT_EQ(testing::placed(lie), device == other);
    }
  }
}

TEST(Placement, OfAnUndefinedTensorIsAnError) {
  EXPECT_THROW(testing::owner(Tensor()), ValueError);
  EXPECT_THROW(testing::placed(Tensor()), ValueError);
  EXPECT_THROW(testing::relabel(Tensor(), cpu()), ValueError);
  EXPECT_THROW(testing::data_without_waiting(Tensor()), ValueError);
}

TEST(LiveMemory, IsThatOfTheTensors) {
  for (const auto& device : gpus(num_gpus())) {
    const auto before = testing::live_memory(device);
    {
      const auto X = ones({1000}, device);
      const auto Y = X + X;
      const auto during = testing::live_memory(device);
      EXPECT_EQ(during.blocks - before.blocks, 2);
      EXPECT_EQ(during.bytes - before.bytes, 8000);
    }
    const auto after = testing::live_memory(device);
    EXPECT_EQ(after.blocks, before.blocks);
    EXPECT_EQ(after.bytes, before.bytes);
  }
}

TEST(HeldQueues, DoNotBeginWork) {
  for (const auto& device : gpus(num_gpus())) {
    auto X = full({4}, 1.0, device);
    auto host = full({4}, -1.0, TensorOptions().pinned_memory(true));
    {
      testing::HeldQueue held(device);
      host.copy_(X, true);
      EXPECT_EQ(first_without_waiting(host), -1);
      EXPECT_THROW(synchronize(device), Error);
      held.release();
      EXPECT_EQ(host[0].item<float>(), 1);
    }
    EXPECT_EQ(first_without_waiting(host), 1);
  }
}

TEST(HeldQueues, AreForGpus) { EXPECT_THROW(testing::HeldQueue held(cpu()), DeviceError); }

TEST(Delays, MakeAReadWithoutTheWaitFailWithEverySeed) {
  if (!are_virtual_in_host_memory()) GTEST_SKIP() << "delays are for virtual GPUs in host memory";
  const auto device = gpu(0);
  const auto X = full({4}, 2.0, device);
  auto host = empty({4}, TensorOptions().pinned_memory(true));
  for (int seed = 0; seed < 1000; ++seed) {
    host.fill_(-1);
    testing::set_delays(seed);
    host.copy_(X, true);
    EXPECT_NE(first_without_waiting(host), 2) << seed;
    EXPECT_EQ(host[3].item<float>(), 2) << seed;
  }
  testing::set_delays(std::nullopt);
}

TEST(FaultsOfTensors, LoseOneDeviceOnly) {
  expect_own_process_exits("2@host", 0, "^2 virtual GPUs[^\n]*\n$", [] {
    const auto X = ones({2, 3}, gpu(0));
    const auto Y = ones({2, 3}, gpu(1));
    const auto Z = ones({2, 3});
    testing::inject_fault(gpu(0), "device-side assert triggered");
    const std::string what = "CUDA error: device-side assert triggered";
    return is_lost([] { synchronize(gpu(0)); }, what) && is_lost([&] { X + X; }, what) &&
           is_lost([&] { static_cast<void>(X.cpu()); }, what) && is_lost([&] { static_cast<void>(X.cuda(1)); }, what) &&
           is_lost([] { ones({1}, gpu(0)); }, what) && is_lost([] { synchronize(); }, what) &&
           is_lost([&] { static_cast<void>(X.sum().item()); }, what) && (Y + Y).sum().item<float>() == 12 &&
           (Z + Z).sum().item<float>() == 12;
  });
}

TEST(FaultsOfTensors, AreCausedByStrayAddresses) {
  expect_own_process_exits("3@host", 0, "", [] {
    auto X = ones({2, 3});
    const auto Y = ones({2, 3}, gpu(2));
    testing::touch_address(gpu(0), X.data_ptr());
    testing::touch_address(gpu(1), const_cast<void*>(testing::data_without_waiting(Y)));
    testing::touch_address(gpu(2), const_cast<void*>(testing::data_without_waiting(Y)));
    synchronize(gpu(2));
    const std::string what = "CUDA error: an illegal memory access was encountered";
    return is_lost([] { synchronize(gpu(0)); }, what) && is_lost([] { synchronize(gpu(0)); }, "belongs to the host") &&
           is_lost([] { synchronize(gpu(1)); }, "belongs to cuda:2") && X[0][0].item<float>() == 1 &&
           Y[0][0].item<float>() != 1;
  });
}

TEST(TensorsOfAProcess, MayOutliveItsMain) {
  expect_own_process_exits("2@host", 0, "", [] {
    static Tensor kept;
    static auto made_first = ones({2, 3}, gpu(0));
    kept = ones({1000}, gpu(1)) + 1;
    static const testing::HeldQueue held(gpu(0));
    made_first += 1;
    static auto pinned = empty({2, 3}, TensorOptions().pinned_memory(true));
    pinned.copy_(made_first, true);
    return true;
  });
}

}  // namespace
}  // namespace d2l::tests
