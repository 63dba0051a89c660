// SPDX-License-Identifier: MIT
// Fatal errors of a virtual GPU: what causes them, when they are reported, and that only one device is lost.
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "backend/lost_devices.h"
#include "backend/rig.h"
#include "messages.h"

namespace d2l::tests {
namespace {

using backend::HostMemory;

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
