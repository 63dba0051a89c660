// SPDX-License-Identifier: MIT
// The names of kernels' parameters, as the translator found them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "d2l_emulator/language.h"  // ParameterNames

namespace d2l::emulator {

/// The name of a parameter, counted from 0, of a kernel, for example "add<float>"; "" if it is not known, or if kernels
/// of that name differ.
std::string parameter_name(const std::string& kernel, std::size_t number);

/// True if it is known to be a reference.
bool is_reference_parameter(const std::string& kernel, std::size_t number);

/// The copy of an argument whose parameter is a reference. On a card the kernel has the address of the host's object.
struct ReferenceArgument {
  const std::byte* begin;
  const std::byte* end;
  std::size_t number;  ///< of the parameter
};

/// Those of a kernel; the copies of its arguments are at `arguments`, in an object that ends at `end`.
std::vector<ReferenceArgument> reference_arguments(const std::string& kernel, const std::vector<void*>& arguments,
                                                   const std::byte* end);

}  // namespace d2l::emulator
