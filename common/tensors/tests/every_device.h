// SPDX-License-Identifier: MIT
// For tests: loops over all devices, and checks of tensors and errors.
#pragma once

#include <type_traits>
#include <vector>

#include "d2l/testing.h"
#include "expect_error.h"
#include "gtest/gtest.h"
#include "library.h"

namespace d2l::testing {

using Sizes = std::vector<std::int64_t>;

inline constexpr ScalarType every_dtype[] = {kBool, kByte, kInt, kLong, kFloat, kDouble};

/// The CPU and every GPU.
inline std::vector<Device> every_device() {
  std::vector<Device> devices{cpu()};
  for (int i = 0; i < num_gpus(); ++i) devices.push_back(gpu(i));
  return devices;
}

/// Whether a copy from gpu(0) to gpu(1) is direct: not all physical GPUs have peer access to each other.
inline bool have_peer_access() {
  const TransferLedger ledger;
  static_cast<void>(zeros({1}, gpu(0)).cuda(1));
  return ledger.copies(Direction::device_to_device) > 0;
}

/// A list of sizes, indices or tensors.
template <class First, class... Rest>
auto list(First first, Rest... rest) {
  using Item = std::conditional_t<std::is_integral_v<First>, std::int64_t, First>;
  return std::vector<Item>{static_cast<Item>(first), static_cast<Item>(rest)...};
}

/// Runs `body` for each device; a failure names the device.
template <class Body>
void on_every_device(Body body) {
  for (const Device device : every_device()) {
    SCOPED_TRACE(device.str());
    body(device);
  }
}

/// Checks the shape and the values in row-major order.
inline void expect_tensor(const Tensor& tensor, IntArrayRef sizes, const std::vector<double>& values) {
  EXPECT_EQ(tensor.sizes().vec(), sizes.vec());
  EXPECT_EQ(tensor.to_vector<double>(), values);
}

/// Checks that the tensors and their memory are on `device`.
template <class... Tensors>
void expect_on(Device device, const Tensors&... tensors) {
  for (const Tensor& tensor : {Tensor(tensors)...}) {
    EXPECT_EQ(tensor.device(), device);
    EXPECT_TRUE(placed(tensor));
  }
}

/// Checks that the live tensors on `device` take as much memory after `body` as before.
template <class Body>
void expect_no_leak(Device device, const Body& body) {
  const auto before = live_memory(device);
  body();
  const auto after = live_memory(device);
  EXPECT_EQ(after.blocks, before.blocks) << device;
  EXPECT_EQ(after.bytes, before.bytes) << device;
}

}  // namespace d2l::testing
