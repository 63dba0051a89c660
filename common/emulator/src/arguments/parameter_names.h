// SPDX-License-Identifier: MIT
// The names of kernels' parameters, as the translator found them.
#pragma once

#include <string>

#include "d2l_emulator/language.h"  // ParameterNames

namespace d2l::emulator {

/// The name of a parameter, counted from 0, of a kernel, for example "add<float>"; "" if it is not known, or if kernels
/// of that name differ.
std::string parameter_name(const std::string& kernel, std::size_t number);

/// True if the program defines a kernel of this name, for example "add" or "add<float>".
bool is_kernel(const std::string& name);

}  // namespace d2l::emulator
