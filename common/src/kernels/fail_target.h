// SPDX-License-Identifier: MIT
// The error for a class index out of range, on the host.
#pragma once

#include <cstdint>

namespace d2l::backend::kernels {

/// Throws IndexError: `target` is not in [0, classes).
[[noreturn]] void fail_target(std::int64_t target, std::int64_t classes);

}  // namespace d2l::backend::kernels
