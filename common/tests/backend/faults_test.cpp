// SPDX-License-Identifier: MIT
// Fatal errors of a virtual GPU: what causes one, where it surfaces, and that it stays with its device.
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "backend/virtual_rig.h"
#include "d2l/error.h"
#include "gtest/gtest.h"

namespace d2l::tests {
namespace {

using backend::HostMemory;

const std::string illegal_access = "CUDA error: an illegal memory access was encountered";

/// The message of the FatalDeviceError that `call` throws; empty when it throws none.
std::string fatal_error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const FatalDeviceError& error) {
    return error.what();
  }
  return {};
}

/// Every call of the seam that gives work to, or asks something of, device `lost`.
std::vector<std::pair<std::string, std::function<void()>>> calls_on(const VirtualRig& gpus, int lost, void* memory,
                                                                    std::vector<char>& host) {
  const auto other_mark = gpus->record(1 - lost);
  return {{"allocate", [=, &gpus] { gpus->allocate(lost, 8); }},
          {"launch", [=, &gpus] { gpus.fill(lost, memory, 1, 1); }},
          {"copy to the device",
           [=, &gpus, &host] { gpus->copy_to_device(lost, memory, host.data(), 4, HostMemory::pageable, nullptr); }},
          {"copy to the host",
           [=, &gpus, &host] { gpus->copy_to_host(lost, host.data(), memory, 4, HostMemory::pageable, nullptr); }},
          {"copy to a peer", [=, &gpus] { gpus->copy_to_peer(lost, 1 - lost, memory, memory, 4, nullptr); }},
          {"record", [=, &gpus] { static_cast<void>(gpus->record(lost)); }},
          {"wait", [=, &gpus] { gpus->wait(lost, other_mark); }},
          {"memory", [=, &gpus] { static_cast<void>(gpus->memory(lost)); }},
          {"hold", [=, &gpus] { gpus->hold(lost); }},
          {"inject_fault", [=, &gpus] { gpus->inject_fault(lost, "again"); }},
          {"synchronize", [=, &gpus] { gpus->synchronize(lost); }}};
}

/// Checks that device 0 is lost with a message that holds `text`, and that device 1 is not.
void expect_only_first_is_lost(const VirtualRig& gpus, void* memory, const std::string& text) {
  EXPECT_NE(fatal_error_of([&] { gpus->synchronize(0); }).find(text), std::string::npos)
      << fatal_error_of([&] { gpus->synchronize(0); });
  std::vector<char> host(4);
  for (const auto& [name, call] : calls_on(gpus, 0, memory, host)) {
    EXPECT_NE(fatal_error_of(call).find(text), std::string::npos) << name;
  }
  gpus->release(0, memory, 24);
  void* const elsewhere = gpus.allocate(1, 6);
  gpus.fill(1, elsewhere, 6, 4);
  EXPECT_EQ(gpus.read(1, elsewhere, 6), std::vector<float>(6, 4));
}

TEST(Faults, AKernelGivenTheHostsAddressIsFatal) {
  const VirtualRig gpus;
  void* const memory = gpus.allocate(0, 6);
  std::vector<float> host(6, 1);
  gpus.fill(0, host.data(), 6, 2);
  expect_only_first_is_lost(gpus, memory, illegal_access + ": fill on cuda:0 was given");
  EXPECT_NE(fatal_error_of([&] { gpus->synchronize(0); }).find("belongs to the host"), std::string::npos);
  EXPECT_EQ(host, std::vector<float>(6, 1));
}

TEST(Faults, AKernelGivenAnotherDevicesAddressIsFatal) {
  const VirtualRig gpus;
  void* const memory = gpus.allocate(0, 6);
  void* const others = gpus.allocate(1, 6);
  gpus.fill(1, others, 6, 1);
  gpus->synchronize(1);
  gpus.add(0, memory, memory, others, 6);
  expect_only_first_is_lost(gpus, memory, illegal_access + ": add on cuda:0 was given");
  EXPECT_NE(fatal_error_of([&] { gpus->synchronize(0); }).find("belongs to cuda:1"), std::string::npos);
  EXPECT_EQ(gpus.read(1, others, 6), std::vector<float>(6, 1));
}

TEST(Faults, AKernelThatLeavesTheMemoryOfItsDeviceIsFatal) {
  const VirtualRig gpus(2, 1 << 20);
  void* const memory = gpus.allocate(0, 1 << 18);
  gpus.fill(0, memory, (1 << 18) + 1, 1);
  expect_only_first_is_lost(gpus, memory, illegal_access);
}

TEST(Faults, AKernelOnMemoryThatNobodyAskedForIsFatal) {
  const VirtualRig gpus;
  void* const memory = gpus.allocate(0, 6);
  gpus.fill(0, static_cast<char*>(memory) + (16 << 20), 6, 1);
  expect_only_first_is_lost(gpus, memory, illegal_access);
  EXPECT_NE(fatal_error_of([&] { gpus->synchronize(0); }).find("or was never allocated"), std::string::npos);
}

TEST(Faults, ACopyFromTheHostsAddressAsIfItWereTheDevicesIsFatal) {
  const VirtualRig gpus;
  void* const memory = gpus.allocate(0, 6);
  std::vector<float> host(6, 1);
  std::vector<float> result(6, 2);
  gpus->copy_to_host(0, result.data(), host.data(), 24, HostMemory::pageable, nullptr);
  expect_only_first_is_lost(gpus, memory, illegal_access);
}

TEST(Faults, ACopyFromADevicesAddressAsIfItWereTheHostsIsFatal) {
  const VirtualRig gpus;
  void* const memory = gpus.allocate(0, 6);
  gpus->copy_to_device(0, memory, memory, 24, HostMemory::pageable, nullptr);
  expect_only_first_is_lost(gpus, memory, illegal_access);
}

TEST(Faults, AnInjectedFaultSurfacesInTheOrderOfTheQueue) {
  const VirtualRig gpus;
  void* const memory = gpus.allocate(0, 6);
  gpus.fill(0, memory, 6, 3);
  EXPECT_EQ(gpus.read(0, memory, 6), std::vector<float>(6, 3));
  gpus->hold(0);
  gpus->inject_fault(0, "device-side assert triggered");
  EXPECT_EQ(fatal_error_of([&] { gpus.fill(0, memory, 6, 4); }), "");
  gpus->let_go(0);
  expect_only_first_is_lost(gpus, memory, "device-side assert triggered");
}

TEST(Faults, AnIndexOfNoClassIsAFailedAssertion) {
  const VirtualRig gpus;
  void* const memory = gpus.allocate(0, 6);
  void* const index = gpus.allocate(0, 2);
  const std::int64_t target = 5;
  gpus.fill(0, memory, 6, 1);
  gpus->copy_to_device(0, index, &target, sizeof(target), HostMemory::pageable, nullptr);
  backend::KernelArguments arguments{};
  arguments.rank = 3;
  arguments.operand_count = 3;
  arguments.sizes = {1, 3, 1};
  arguments.parameters[0].integer = -100;
  arguments.operands[0].data = static_cast<char*>(memory) + 12;
  arguments.operands[0].extent = 4;
  arguments.operands[1].data = memory;
  arguments.operands[1].extent = 12;
  arguments.operands[2].data = index;
  arguments.operands[2].extent = sizeof(target);
  arguments.operands[2].dtype = kLong;
  EXPECT_EQ(fatal_error_of([&] { gpus->launch(0, backend::Operation::gather, arguments, nullptr); }), "");
  expect_only_first_is_lost(gpus, memory,
                            "CUDA error: device-side assert triggered: [cross_entropy] Target 5 is out of bounds.");
}

TEST(Faults, WorkAfterAFaultIsNotDone) {
  const VirtualRig gpus;
  void* const memory = gpus.allocate(1, 6);
  void* const target = gpus.allocate(0, 6);
  gpus.fill(1, memory, 6, 1);
  gpus->synchronize(1);
  std::vector<float> host(6, -1);
  gpus->hold(0);
  gpus->inject_fault(0, "stop");
  gpus.fill(0, target, 6, 2);
  gpus->copy_to_host(0, host.data(), target, 24, HostMemory::pageable, nullptr);
  gpus->let_go(0);
  EXPECT_THROW(gpus->synchronize(0), FatalDeviceError);
  EXPECT_EQ(host, std::vector<float>(6, -1));
}

TEST(Faults, WaitsForALostDeviceEnd) {
  const VirtualRig gpus;
  void* const memory = gpus.allocate(1, 6);
  gpus->hold(0);
  gpus->inject_fault(0, "stop");
  const auto mark = gpus->record(0);
  gpus->wait(1, mark);
  gpus.fill(1, memory, 6, 8);
  gpus->let_go(0);
  EXPECT_THROW(mark->wait(), FatalDeviceError);
  EXPECT_TRUE(mark->done());
  EXPECT_EQ(gpus.read(1, memory, 6), std::vector<float>(6, 8));
}

TEST(Faults, ADeviceThatIsLostWhileOthersWaitOnTheHostLetsThemGo) {
  const VirtualRig gpus;
  gpus->hold(0);
  gpus->inject_fault(0, "stop");
  const auto mark = gpus->record(0);
  std::thread waiter([&] { EXPECT_THROW(mark->wait(), FatalDeviceError); });
  gpus->let_go(0);
  waiter.join();
}

}  // namespace
}  // namespace d2l::tests
