// SPDX-License-Identifier: MIT
// Casts that hide the types of a kernel's parameters, such as (void*)kernel.
#pragma once

#include <string_view>
#include <vector>

#include "syntax.h"

namespace d2l::emulator::translator {

/// True if the tokens [begin, end) are void*, with or without const.
bool is_void_pointer(const Syntax& syntax, int begin, int end);
/// The names after __global__ in a file.
std::vector<std::string_view> declared_kernels(const Syntax& syntax);

/// The tokens of a cast.
struct KernelCast {
  int begin = -1;  ///< -1: there is none
  int end = -1;
};
/// The cast to void* before the identifier `i`, if that is one of the kernels, or if its result is assigned to `func`:
/// (void*)kernel, (const void*)&kernel or reinterpret_cast<void*>(kernel).
KernelCast kernel_cast(const Syntax& syntax, int i, const std::vector<std::string_view>& kernels);

}  // namespace d2l::emulator::translator
