// SPDX-License-Identifier: MIT
// Fatal errors of a virtual GPU: what causes them, when they are reported, and that only one device is lost.
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "backend/rig.h"
#include "messages.h"

namespace d2l::tests {
namespace {

using backend::HostMemory;

std::string fatal_error_of(const std::function<void()>& call) { return message_of<FatalDeviceError>(call); }

/// Every call of the backend that uses the device `lost`.
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
          {"hold", [=, &gpus] { gpus.hold(lost); }},
          {"inject_fault", [=, &gpus] { gpus.inject_fault(lost, "again"); }},
          {"synchronize", [=, &gpus] { gpus->synchronize(lost); }}};
}

/// Checks that device 0 is lost with a message that contains `text`, and that device 1 works.
void expect_only_first_is_lost(const VirtualRig& gpus, void* memory, const std::string& text) {
  EXPECT_TRUE(contains(fatal_error_of([&] { gpus->synchronize(0); }), text));
  std::vector<char> host(4);
  for (const auto& [name, call] : calls_on(gpus, 0, memory, host)) {
    EXPECT_TRUE(contains(fatal_error_of(call), text)) << name;
  }
  gpus->release(0, memory, 24);
  EXPECT_EQ(gpus.read(1, gpus.filled(1, 6, 4), 6), std::vector<float>(6, 4));
}

/// Six float32 on device 0, six on device 1, and six on the host.
struct Memory {
  const VirtualRig& gpus;
  void* own = gpus.allocate(0, 6);
  void* others = gpus.filled(1, 6, 1);
  std::vector<float> host = std::vector<float>(6, 1);
};

struct IllegalAccess {
  const char* name;
  std::vector<const char*> messages;  ///< other parts of the error
  std::function<void(Memory&)> issue;
};

std::vector<IllegalAccess> illegal_accesses() {
  return {
      {"a kernel on host memory",
       {": fill on cuda:0 was given", "belongs to the host"},
       [](Memory& memory) { memory.gpus.fill(0, memory.host.data(), 6, 2); }},
      {"a kernel on memory of another device",
       {": add on cuda:0 was given", "belongs to cuda:1"},
       [](Memory& memory) { memory.gpus.add(0, memory.own, memory.own, memory.others, 6); }},
      {"a kernel beyond the memory of its device",
       {},
       [](Memory& memory) {
         static_cast<void>(memory.gpus.allocate(0, (16 << 20) - 128));
         memory.gpus.fill(0, memory.own, (16 << 20) + 1, 1);
       }},
      {"a kernel on memory that was never allocated",
       {"or was never allocated"},
       [](Memory& memory) { memory.gpus.fill(0, static_cast<char*>(memory.own) + (16 << 20), 6, 1); }},
      {"a copy to the host from host memory",
       {},
       [](Memory& memory) {
         memory.gpus->copy_to_host(0, memory.host.data(), memory.host.data(), 24, HostMemory::pageable, nullptr);
       }},
      {"a copy to the device from device memory",
       {},
       [](Memory& memory) {
         memory.gpus->copy_to_device(0, memory.own, memory.own, 24, HostMemory::pageable, nullptr);
       }},
  };
}

TEST(Faults, AnIllegalAccessLosesItsDeviceOnly) {
  for (const auto& access : illegal_accesses()) {
    SCOPED_TRACE(access.name);
    const VirtualRig gpus;
    Memory memory{gpus};
    gpus->synchronize(1);
    access.issue(memory);
    expect_only_first_is_lost(gpus, memory.own, "CUDA error: an illegal memory access was encountered");
    for (const char* const message : access.messages) {
      EXPECT_TRUE(contains(fatal_error_of([&] { gpus->synchronize(0); }), message));
    }
    EXPECT_EQ(gpus.read(1, memory.others, 6), std::vector<float>(6, 1));
    EXPECT_EQ(memory.host, std::vector<float>(6, 1));
  }
}

TEST(Faults, AnInjectedFaultSurfacesInTheOrderOfTheQueue) {
  const VirtualRig gpus;
  void* const memory = gpus.filled(0, 6, 3);
  EXPECT_EQ(gpus.read(0, memory, 6), std::vector<float>(6, 3));
  gpus.hold(0);
  gpus.inject_fault(0, "device-side assert triggered");
  EXPECT_EQ(fatal_error_of([&] { gpus.fill(0, memory, 6, 4); }), "");
  gpus.release(0);
  expect_only_first_is_lost(gpus, memory, "device-side assert triggered");
}

TEST(Faults, AClassIndexOutOfRangeIsAFailedAssertion) {
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
  EXPECT_EQ(fatal_error_of([&] { gpus.launch(0, backend::Operation::gather, arguments); }), "");
  expect_only_first_is_lost(gpus, memory,
                            "CUDA error: device-side assert triggered: [cross_entropy] Target 5 is out of bounds.");
}

TEST(Faults, AnIndexOutOfRangeIsAFailedAssertion) {
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
    EXPECT_EQ(fatal_error_of([&] { gpus.launch(0, operation, arguments); }), "");
    expect_only_first_is_lost(gpus, memory,
                              "CUDA error: device-side assert triggered: [gather] index 5 is out of bounds for "
                              "dimension 0 with size 3");
  }
}

TEST(Faults, WorkAfterAFaultIsNotDone) {
  const VirtualRig gpus;
  void* const target = gpus.allocate(0, 6);
  std::vector<float> host(6, -1);
  gpus.hold(0);
  gpus.inject_fault(0, "stop");
  gpus.fill(0, target, 6, 2);
  gpus->copy_to_host(0, host.data(), target, 24, HostMemory::pageable, nullptr);
  gpus.release(0);
  EXPECT_THROW(gpus->synchronize(0), FatalDeviceError);
  EXPECT_EQ(host, std::vector<float>(6, -1));
}

TEST(Faults, WaitsForALostDeviceEnd) {
  const VirtualRig gpus;
  void* const memory = gpus.allocate(1, 6);
  gpus.hold(0);
  gpus.inject_fault(0, "stop");
  const auto mark = gpus->record(0);
  gpus->wait(1, mark);
  gpus.fill(1, memory, 6, 8);
  gpus.release(0);
  EXPECT_THROW(mark->wait(), FatalDeviceError);
  EXPECT_TRUE(mark->done());
  EXPECT_EQ(gpus.read(1, memory, 6), std::vector<float>(6, 8));
}

TEST(Faults, ALostDeviceWakesTheThreadsThatWaitForIt) {
  const VirtualRig gpus;
  gpus.hold(0);
  gpus.inject_fault(0, "stop");
  const auto mark = gpus->record(0);
  std::thread waiter([&] { EXPECT_THROW(mark->wait(), FatalDeviceError); });
  gpus.release(0);
  waiter.join();
}

}  // namespace
}  // namespace d2l::tests
