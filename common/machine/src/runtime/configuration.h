// SPDX-License-Identifier: MIT
// The name of the configuration on which a program runs; captured outputs of lessons are stored by this name.
#pragma once

#include <string>
#include <vector>

namespace d2l::detail {

/// "none", "virtual2", "h200", "h200_x2" for two cards, "h200_virtual2" for slices of one card.
std::string configuration_name();
/// The names of the GPUs.
std::vector<std::string> gpu_names();
/// "NVIDIA H200" → "h200".
std::string slug_of_card(const std::string& name);

}  // namespace d2l::detail
