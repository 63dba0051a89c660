// SPDX-License-Identifier: MIT
// The cards for which this binary holds code.
#pragma once

#include <vector>

namespace d2l::backend::cuda {

/// The compute capabilities that nvcc built for, such as 75 and 90, in ascending order.
std::vector<int> built_architectures();
/// True if the driver finds code for the current card in this binary; creates a context on it.
bool runs_on_current_card() noexcept;

}  // namespace d2l::backend::cuda
