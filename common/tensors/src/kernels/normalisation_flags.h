// SPDX-License-Identifier: MIT
// The flags of KernelArguments::parameters[0].integer in kernels of normalisation: the optional operands that are
// there.
#pragma once

#include <cstdint>

namespace d2l::backend {

inline constexpr std::int64_t has_weight = 1;
inline constexpr std::int64_t has_bias = 2;
inline constexpr std::int64_t has_running_mean = 4;
inline constexpr std::int64_t has_running_var = 8;

}  // namespace d2l::backend
