// SPDX-License-Identifier: MIT
// Which devices a process has, and what it says of those that it has not.
#include "runtime/runtime.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "d2l/device.h"
#include "d2l/error.h"
#include "gtest/gtest.h"

namespace d2l::tests {
namespace {

/// Runs `body` in a process of its own, where no device was used yet; what it returns is the exit code.
[[noreturn]] void in_own_process(const char* virtual_gpus, const std::function<bool()>& body) {
  setenv("D2L_VIRTUAL_GPUS", virtual_gpus, 1);
  try {
    std::exit(body() ? 0 : 1);
  } catch (const Error& error) {
    std::fputs(error.what(), stderr);
    std::exit(2);
  }
}

template <class E>
std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const E& error) {
    return error.what();
  }
  return "no error of this class";
}

void expect_in(const std::string& part, const std::string& text) {
  EXPECT_NE(text.find(part), std::string::npos) << "\"" << part << "\" is not in \"" << text << "\"";
}

TEST(Devices, AreAsManyAsTheyAre) {
  const int count = num_gpus();
  for (int i = 0; i < count; ++i) EXPECT_EQ(try_gpu(i), gpu(i));
  EXPECT_EQ(try_gpu(count), cpu());
  EXPECT_EQ(try_gpu(127), cpu());
  EXPECT_EQ(try_gpu(1'000'000), cpu());
  EXPECT_EQ(gpus(count).size(), static_cast<std::size_t>(count));
  EXPECT_FALSE(try_all_gpus().empty());
}

TEST(Devices, WithANegativeNumberAreRefused) {
  EXPECT_THROW(gpu(-1), DeviceError);
  EXPECT_THROW(try_gpu(-1), DeviceError);
  EXPECT_THROW(try_gpu(-1'000'000), DeviceError);
  EXPECT_THROW(gpus(-1), DeviceError);
}

TEST(Devices, ThatAreNotThereSaySo) {
  const int count = num_gpus();
  const auto message = message_of<DeviceError>([&] { synchronize(gpu(count)); });
  expect_in("CUDA error: invalid device ordinal", message);
  expect_in("asked for cuda:" + std::to_string(count) + ", found", message);
  expect_in("D2L_VIRTUAL_GPUS=" + std::to_string(count + 1), message);
  EXPECT_THROW(device_properties(gpu(count)), DeviceError);
  EXPECT_THROW(memory_info(gpu(count)), DeviceError);
  const auto too_many = message_of<DeviceError>([&] { gpus(count + 1); });
  expect_in("asked for " + std::to_string(count + 1) + ", found " + std::to_string(count), too_many);
  expect_in("D2L_VIRTUAL_GPUS=" + std::to_string(count + 1), too_many);
}

TEST(Devices, SayWhatTheyAre) {
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

TEST(Devices, AreUsedFirstByOneThreadOfMany) {
  EXPECT_EXIT(
      {
        in_own_process("3@host", [] {
          detail::take_over_virtual_gpu_notice();
          std::atomic<int> right{0};
          std::vector<std::thread> threads;
          for (int i = 0; i < 8; ++i) threads.emplace_back([&] { right += num_gpus() == 3 ? 1 : 0; });
          for (auto& thread : threads) thread.join();
          return right == 8;
        });
      },
      testing::ExitedWithCode(0), "^$");
}

TEST(VirtualGpus, AreMadeByTheEnvironment) {
  EXPECT_EXIT(in_own_process("2:512MiB@host,delay=7",
                             [] {
                               return num_gpus() == 2 && device_properties(gpu(1)).total_memory == 512 << 20 &&
                                      device_properties(gpu(0)).name == "Virtual GPU 0 (host memory, 1 core)";
                             }),
              testing::ExitedWithCode(0),
              "^2 virtual GPUs \\(host memory, 1 core each\\) stand in for real ones: they show what happens, not how "
              "fast a GPU is.\n$");
}

TEST(VirtualGpus, CanBeOne) {
  EXPECT_EXIT(in_own_process("1@host", [] { return num_gpus() == 1; }), testing::ExitedWithCode(0),
              "^1 virtual GPU \\(host memory, 1 core\\) stands in for a real one");
}

TEST(VirtualGpus, CanBeNone) {
  EXPECT_EXIT(in_own_process("0",
                             [] {
                               return num_gpus() == 0 && try_gpu() == cpu() && try_all_gpus() == std::vector{cpu()} &&
                                      detail::virtual_gpu_notice().empty();
                             }),
              testing::ExitedWithCode(0), "^$");
}

TEST(VirtualGpus, AreMadeByACallBeforeFirstUse) {
  EXPECT_EXIT(in_own_process("4@host",
                             [] {
                               use_virtual_gpus("9@host");
                               use_virtual_gpus("3:1GiB@host");
                               return num_gpus() == 3;
                             }),
              testing::ExitedWithCode(0), "^3 virtual GPUs");
}

TEST(VirtualGpus, AreNotMadeAfterFirstUse) {
  num_gpus();
  expect_in("the program has already used a device", message_of<ConfigurationError>([] { use_virtual_gpus("3"); }));
  expect_in("COUNT is \"three\"", message_of<ConfigurationError>([] { use_virtual_gpus("three"); }));
}

TEST(VirtualGpus, AreAnnouncedByWhoeverTakesThatOver) {
  EXPECT_EXIT(in_own_process("2@host",
                             [] {
                               detail::take_over_virtual_gpu_notice();
                               return num_gpus() == 2 &&
                                      detail::virtual_gpu_notice().find("2 virtual GPUs (host memory") == 0;
                             }),
              testing::ExitedWithCode(0), "^$");
}

TEST(VirtualGpus, OfAMalformedVariableAreAnErrorEveryTime) {
  EXPECT_EXIT(in_own_process("2:12XB",
                             []() -> bool {
                               const auto first = message_of<ConfigurationError>([] { num_gpus(); });
                               const auto second = message_of<ConfigurationError>([] { try_gpu(); });
                               if (first != second) return true;
                               return num_gpus() == 0;
                             }),
              testing::ExitedWithCode(2), "^\\[D2L_VIRTUAL_GPUS\\] cannot use \"2:12XB\"");
}

TEST(VirtualGpus, ThatDoNotFitInTheAddressSpaceAreAnError) {
  EXPECT_EXIT(in_own_process("64:1TiB@host", [] { return num_gpus() == 64; }), testing::ExitedWithCode(2),
              "cannot reserve 1099511627776 bytes of address space for the memory of cuda:[0-9]+");
}

}  // namespace
}  // namespace d2l::tests
