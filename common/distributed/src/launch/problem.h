// SPDX-License-Identifier: MIT
// Problem: why the ranks cannot be started, or the servers cannot be made, in one sentence without a full stop.
#pragma once

#include <stdexcept>

namespace d2l::launch {

struct Problem : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace d2l::launch
