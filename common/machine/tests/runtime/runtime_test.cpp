// SPDX-License-Identifier: MIT
// The devices of a process, and the errors about devices that do not exist.
#include "runtime/runtime.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "d2l/device.h"
#include "messages.h"

namespace d2l::tests {
namespace {

TEST(Devices, AreCounted) {
  const int count = num_gpus();
  for (int i = 0; i < count; ++i) EXPECT_EQ(try_gpu(i), gpu(i));
  EXPECT_EQ(try_gpu(count), cpu());
  EXPECT_EQ(try_gpu(127), cpu());
  EXPECT_EQ(try_gpu(1'000'000), cpu());
  EXPECT_EQ(gpus(count).size(), static_cast<std::size_t>(count));
  EXPECT_FALSE(try_all_gpus().empty());
}

TEST(Devices, ThatDoNotExistAreErrors) {
  const int count = num_gpus();
  const auto message = message_of<DeviceError>([&] { synchronize(gpu(count)); });
  EXPECT_TRUE(contains(message, "CUDA error: invalid device ordinal"));
  EXPECT_TRUE(contains(message, "asked for cuda:" + std::to_string(count) + ", found"));
  EXPECT_TRUE(contains(message, "D2L_VIRTUAL_GPUS=" + std::to_string(count + 1)));
  const auto too_many = message_of<DeviceError>([&] { gpus(count + 1); });
  EXPECT_TRUE(contains(too_many, "asked for " + std::to_string(count + 1) + ", found " + std::to_string(count)));
  EXPECT_TRUE(contains(too_many, "D2L_VIRTUAL_GPUS=" + std::to_string(count + 1)));
}

TEST(Devices, HaveProperties) {
  EXPECT_EQ(device_properties(cpu()).kind, DeviceKind::cpu);
  EXPECT_GT(device_properties(cpu()).multiprocessors, 0);
  for (const auto& device : gpus(num_gpus())) {
    const auto properties = device_properties(device);
    EXPECT_FALSE(properties.name.empty());
    EXPECT_NE(properties.kind, DeviceKind::cpu);
    EXPECT_GT(properties.total_memory, 0);
    EXPECT_GT(properties.multiprocessors, 0);
    const auto memory = memory_info(device);
    EXPECT_GT(memory.total, 0);
    EXPECT_GT(memory.free, 0);
    EXPECT_LE(memory.requested, memory.total);
  }
}

TEST(Devices, MayBeUsedFirstByManyThreads) {
  expect_own_process_exits("3@host", 0, "^$", [] {
    detail::take_over_virtual_gpu_notice();
    std::atomic<int> right{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i) threads.emplace_back([&] { right += num_gpus() == 3 ? 1 : 0; });
    for (auto& thread : threads) thread.join();
    return right == 8;
  });
}

TEST(VirtualGpus, AreMadeByTheEnvironment) {
  expect_own_process_exits(
      "2:512MiB@host,delay=7", 0,
      "^2 virtual GPUs \\(host memory, 1 core each\\) stand in for real ones: they show what happens, not how "
      "fast a GPU is.\n$",
      [] {
        return num_gpus() == 2 && device_properties(gpu(1)).total_memory == 512 << 20 &&
               device_properties(gpu(0)).name == "Virtual GPU 0 (host memory, 1 core)";
      });
}

TEST(VirtualGpus, CanBeOne) {
  expect_own_process_exits("1@host", 0, "^1 virtual GPU \\(host memory, 1 core\\) stands in for a real one",
                           [] { return num_gpus() == 1; });
}

TEST(VirtualGpus, CanBeNone) {
  expect_own_process_exits("0", 0, "^$", [] {
    return num_gpus() == 0 && try_gpu() == cpu() && try_all_gpus() == std::vector{cpu()} &&
           detail::virtual_gpu_notice().empty();
  });
}

TEST(VirtualGpus, AreMadeByACallBeforeFirstUse) {
  expect_own_process_exits("4@host", 0, "^3 virtual GPUs", [] {
    use_virtual_gpus("9@host");
    use_virtual_gpus("3:1GiB@host");
    return num_gpus() == 3;
  });
}

TEST(VirtualGpus, AreNotMadeAfterFirstUse) {
  num_gpus();
  EXPECT_TRUE(
      contains(message_of<ConfigurationError>([] { use_virtual_gpus("3"); }), "the program has already used a device"));
  EXPECT_TRUE(contains(message_of<ConfigurationError>([] { use_virtual_gpus("three"); }), "COUNT is \"three\""));
}

TEST(VirtualGpus, HaveANoticeThatTheProgramMayPrintItself) {
  expect_own_process_exits("2@host", 0, "^$", [] {
    detail::take_over_virtual_gpu_notice();
    return num_gpus() == 2 && detail::virtual_gpu_notice().find("2 virtual GPUs (host memory") == 0;
  });
}

TEST(VirtualGpus, OfAMalformedVariableAreAnErrorEveryTime) {
  expect_own_process_exits("2:12XB", 2, "^\\[D2L_VIRTUAL_GPUS\\] cannot use \"2:12XB\"", []() -> bool {
    const auto first = message_of<ConfigurationError>([] { num_gpus(); });
    const auto second = message_of<ConfigurationError>([] { try_gpu(); });
    if (first != second) return true;
    return num_gpus() == 0;
  });
}

TEST(VirtualGpus, ThatDoNotFitInTheAddressSpaceAreAnError) {
  expect_own_process_exits("64:1TiB@host", 2,
                           "cannot reserve 1099511627776 bytes of address space for the memory of cuda:[0-9]+",
                           [] { return num_gpus() == 64; });
}

}  // namespace
}  // namespace d2l::tests
