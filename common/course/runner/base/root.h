// SPDX-License-Identifier: MIT
// The folder of the checkout, and of its public headers.
#pragma once

#include <filesystem>
#include <vector>

namespace d2l::runner {

/// LEARN_ROOT, which the script `learn` sets, or the folder that this program was built from.
std::filesystem::path root();

/// The folders common/<room>/include of a course, for the option -I of a compiler.
std::vector<std::filesystem::path> public_headers(const std::filesystem::path& course);

}  // namespace d2l::runner
