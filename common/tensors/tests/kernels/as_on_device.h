// SPDX-License-Identifier: MIT
// AsOnDevice: the policy of a GPU, one element per thread, except that the host runs it.
#pragma once

#include <cstdint>

#include "backend/kernel.h"

namespace d2l::testing {

struct AsOnDevice {
  static constexpr bool on_device = true;
  template <class Body>
  static void for_each(const backend::KernelContext& /*context*/, std::int64_t count, Body body) {
    for (std::int64_t i = 0; i < count; ++i) body(i);
  }
};

}  // namespace d2l::testing
