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

#include "d2l/accelerator.h"
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

TEST(VirtualGpus, MayHaveATypeThatPyTorchDoesNotKnow) {
  expect_own_process_exits("2@host,name=privateuseone", 0, "^2 virtual GPUs", [] {
    return num_gpus() == 2 && gpu(1) == Device("privateuseone:1") && gpu(1).is_privateuseone() && !gpu(1).is_cuda() &&
           try_all_gpus()[1].str() == "privateuseone:1" && accelerator::current_accelerator() == kPrivateUse1 &&
           accelerator::device_count() == 2 && accelerator::is_available() &&
           contains(message_of<DeviceError>([] { synchronize(Device("cuda")); }),
                    "there is no device cuda:0: no GPU of this process has this type; found 2 GPUs (privateuseone:0 to "
                    "privateuseone:1). Use try_gpu(0), which is a GPU of any type") &&
           contains(message_of<DeviceError>([] { synchronize(gpu(2)); }), "asked for privateuseone:2, found 2 GPUs");
  });
}

TEST(VirtualGpus, MayHaveANameOfTheirOwn) {
  expect_own_process_exits("4@host", 0, "^1 virtual GPU", [] {
    use_virtual_gpus("1@host,name=npu");
    return gpu(0).str() == "npu:0" && Device("npu:0") == gpu(0) && Device("privateuseone") == gpu(0) &&
           repr(gpu(0)) == "device(type='npu', index=0)" && device_properties(Device("npu")).kind != DeviceKind::cpu &&
           contains(message_of<Error>([] { rename_privateuse1_backend("tpu"); }), "are called 'npu' already");
  });
}

TEST(VirtualGpus, AreCudaWithoutAName) {
  for (const char* const none : {"0", "2@host"}) {
    expect_own_process_exits(none, 0, "", [] {
      const bool any = num_gpus() > 0;
      return gpu(0) == Device("cuda") && accelerator::current_accelerator() == kCUDA &&
             accelerator::current_accelerator(true).has_value() == any && accelerator::is_available() == any &&
             contains(message_of<DeviceError>([] { synchronize(kMPS); }), "no backend for GPUs of Apple") &&
             contains(message_of<DeviceError>([] { synchronize(Device("xpu:1")); }), "no backend for GPUs of Intel") &&
             contains(message_of<DeviceError>([] { synchronize(kPrivateUse1); }), "there is no device privateuseone:0");
    });
  }
}

TEST(VirtualGpus, AreRenamedOnceToAName) {
  for (const char* const name : {"", "a1", "cuda", "mps", "a b"}) {
    EXPECT_TRUE(
        contains(message_of<ValueError>([&] { rename_privateuse1_backend(name); }), "Choose a name of letters"));
  }
  expect_own_process_exits("0", 0, "", [] {
    rename_privateuse1_backend("my_npu");
    rename_privateuse1_backend("my_npu");
    return Device("my_npu:3").str() == "my_npu:3" && Device("privateuseone:3") == Device("my_npu:3") &&
           DeviceTypeName(kPrivateUse1) == "my_npu" && gpu(3).str() == "cuda:3";
  });
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
