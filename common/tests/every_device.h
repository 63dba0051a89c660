// SPDX-License-Identifier: MIT
// For tests: loops over all devices, and checks of tensors and errors.
#pragma once

#include <string>
#include <type_traits>
#include <vector>

#include "d2l/d2l.h"
#include "d2l/testing.h"
#include "gtest/gtest.h"

namespace d2l::testing {

/// The CPU and every GPU.
inline std::vector<Device> every_device() {
  std::vector<Device> devices{cpu()};
  for (int i = 0; i < num_gpus(); ++i) devices.push_back(gpu(i));
  return devices;
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

/// Checks that `call` throws an E whose message contains `part`.
template <class E, class Call>
void expect_error(Call call, const std::string& part) {
  try {
    static_cast<void>(call());
    ADD_FAILURE() << "nothing was thrown; expected: " << part;
  } catch (const E& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << "the text is: " << error.what();
  } catch (const std::exception& error) {
    ADD_FAILURE() << "another kind of error: " << error.what() << "\nexpected: " << part;
  }
}

}  // namespace d2l::testing
