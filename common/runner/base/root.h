// SPDX-License-Identifier: MIT
// The folder of the checkout.
#pragma once

#include <filesystem>

namespace d2l::runner {

/// LEARN_ROOT, which the script `learn` sets, or the folder that this program was built from.
std::filesystem::path root();

}  // namespace d2l::runner
