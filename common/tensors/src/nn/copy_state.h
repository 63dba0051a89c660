// SPDX-License-Identifier: MIT
// For clone(): the state of a module in a new one.
#pragma once

#include "d2l/nn/module.h"

namespace d2l::detail {

/// Gives `copy`, a new module of the same class and options, the devices, dtypes, values and mode of `module`.
void copy_state(const nn::Module& module, nn::Module& copy);

}  // namespace d2l::detail
