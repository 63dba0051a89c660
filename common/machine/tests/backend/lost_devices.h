// SPDX-License-Identifier: MIT
// For tests: whether a device is lost, and no other.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "backend/rig.h"
#include "gtest/gtest.h"
#include "messages.h"

namespace d2l::tests {

inline std::string fatal_error_of(const std::function<void()>& call) { return message_of<FatalDeviceError>(call); }

/// Every call of the backend that uses the device `lost`.
inline std::vector<std::pair<std::string, std::function<void()>>> calls_on(const VirtualRig& gpus, int lost,
                                                                           void* memory, std::vector<char>& host) {
  const auto other_mark = gpus->record(1 - lost);
  return {
      {"allocate", [=, &gpus] { gpus->allocate(lost, 8); }},
      {"launch", [=, &gpus] { gpus.fill(lost, memory, 1, 1); }},
      {"copy to the device",
       [=, &gpus, &host] {
         gpus->copy_to_device(lost, memory, host.data(), 4, backend::HostMemory::pageable, nullptr);
       }},
      {"copy to the host",
       [=, &gpus, &host] { gpus->copy_to_host(lost, host.data(), memory, 4, backend::HostMemory::pageable, nullptr); }},
      {"copy to a peer", [=, &gpus] { gpus->copy_to_peer(lost, 1 - lost, memory, memory, 4, nullptr); }},
      {"record", [=, &gpus] { static_cast<void>(gpus->record(lost)); }},
      {"wait", [=, &gpus] { gpus->wait(lost, other_mark); }},
      {"memory", [=, &gpus] { static_cast<void>(gpus->memory(lost)); }},
      {"hold", [=, &gpus] { gpus.hold(lost); }},
      {"inject_fault", [=, &gpus] { gpus.inject_fault(lost, "again"); }},
      {"synchronize", [=, &gpus] { gpus->synchronize(lost); }}};
}

/// Checks that device 0 is lost with a message that contains `text`, and that device 1 works.
inline void expect_only_first_is_lost(const VirtualRig& gpus, void* memory, const std::string& text) {
  EXPECT_TRUE(contains(fatal_error_of([&] { gpus->synchronize(0); }), text));
  std::vector<char> host(4);
  for (const auto& [name, call] : calls_on(gpus, 0, memory, host)) {
    EXPECT_TRUE(contains(fatal_error_of(call), text)) << name;
  }
  gpus->release(0, memory, 24);
  EXPECT_EQ(gpus.read(1, gpus.filled(1, 6, 4), 6), std::vector<float>(6, 4));
}

}  // namespace d2l::tests
