// SPDX-License-Identifier: MIT
// Kernels of the library on virtual GPUs: one that does not exist, and indices out of range, which lose the device.
#include <cstdint>

#include "backend/arguments.h"
#include "backend/lost_devices.h"
#include "ops/launch.h"

namespace d2l::tests {
namespace {

using backend::HostMemory;

void launch(const VirtualRig& gpus, backend::Operation operation, const backend::KernelArguments& arguments) {
  gpus->launch(0, find_kernel(*gpus, operation, arguments), arguments, nullptr);
}

TEST(FindKernel, RefusesAKernelThatDoesNotExist) {
  const VirtualRig gpus;
  const auto arguments = testing::arguments_of({}, {testing::number(kBool, 0), testing::number(kBool, 0)});
  EXPECT_TRUE(contains(message_of<TypeError>([&] { launch(gpus, backend::Operation::log, arguments); }),
                       "\"log_cuda\" not implemented for 'Bool'"));
  gpus->synchronize(0);
}

TEST(KernelFaults, AClassIndexOutOfRangeIsAFailedAssertion) {
  const VirtualRig gpus;
  void* const memory = gpus.filled(0, 6, 1);
  void* const index = gpus.allocate(0, 2);
  const std::int64_t target = 5;
  gpus->copy_to_device(0, index, &target, sizeof(target), HostMemory::pageable, nullptr);
  using testing::operand_at;
  auto arguments = testing::arguments_of(
      {1, 3, 1}, {operand_at(static_cast<char*>(memory) + 12, 4, kFloat, {}), operand_at(memory, 12, kFloat, {}),
                  operand_at(index, sizeof(target), kLong, {})});
  arguments.parameters[0].integer = -100;
  EXPECT_EQ(fatal_error_of([&] { launch(gpus, backend::Operation::gather, arguments); }), "");
  expect_only_first_is_lost(gpus, memory,
                            "CUDA error: device-side assert triggered: [cross_entropy] Target 5 is out of bounds.");
}

TEST(KernelFaults, AnIndexOutOfRangeIsAFailedAssertion) {
  for (const auto operation : {backend::Operation::take, backend::Operation::index_add}) {
    const VirtualRig gpus;
    void* const memory = gpus.filled(0, 6, 1);
    void* const index = gpus.allocate(0, 2);
    const std::int64_t beyond = 5;
    gpus->copy_to_device(0, index, &beyond, sizeof(beyond), HostMemory::pageable, nullptr);
    using testing::operand_at;
    auto arguments = testing::arguments_of(
        {1, 3, 1, 1}, {operand_at(static_cast<char*>(memory) + 12, 12, kFloat, {}), operand_at(memory, 12, kFloat, {}),
                       operand_at(index, sizeof(beyond), kLong, {})});
    arguments.parameters[1] = {0, static_cast<std::int64_t>(backend::IndexUse::gather)};
    EXPECT_EQ(fatal_error_of([&] { launch(gpus, operation, arguments); }), "");
    expect_only_first_is_lost(gpus, memory,
                              "CUDA error: device-side assert triggered: [gather] index 5 is out of bounds for "
                              "dimension 0 with size 3");
  }
}

}  // namespace
}  // namespace d2l::tests
