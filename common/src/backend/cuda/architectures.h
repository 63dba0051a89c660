// SPDX-License-Identifier: MIT
// Which cards this binary holds code for.
#pragma once

#include <vector>

namespace d2l::backend::cuda {

/// The compute capabilities that nvcc built for, such as 75 and 90, from the lowest.
std::vector<int> built_architectures();
/// True when the driver finds code for the current card in this binary; makes a context on it.
bool runs_on_current_card() noexcept;

}  // namespace d2l::backend::cuda
