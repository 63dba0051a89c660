// SPDX-License-Identifier: MIT
// The name of what a program runs on, under which the outputs of lessons are kept.
#pragma once

#include <string>
#include <vector>

namespace d2l::detail {

/// "none", "virtual2", "h200", "h200_x2" for two of them, "h200_virtual2" for slices of one.
std::string configuration_name();
/// The names of the GPUs.
std::vector<std::string> gpu_names();
/// "NVIDIA H200" → "h200".
std::string slug_of_card(const std::string& name);

}  // namespace d2l::detail
