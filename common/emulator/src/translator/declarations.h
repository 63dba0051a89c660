// SPDX-License-Identifier: MIT
// The names that a file declares, which reports use.
#pragma once

#include <string>
#include <vector>

#include "syntax.h"

namespace d2l::emulator::translator {

/// The variables that a declaration [begin, end) declares; empty if it declares a function.
std::vector<std::string> declared_names(const Syntax& syntax, int begin, int end);

struct KernelParameters {
  int end = -1;        ///< the last token of the kernel's definition; -1: there is none
  std::string kernel;  ///< its name
  std::string names;   ///< "out,in,": a comma after each; a parameter without a name has none
};

/// Reads the definition that has __global__ at token `i`.
KernelParameters kernel_parameters(const Syntax& syntax, int i);

/// What stands for a name: for a target of nv/target, for __builtin_memcpy and its kin, and for the word of
/// texture<float, 2> or surface<void, 2>, unless the program has a class of this name. Empty for other names.
std::string translated_name(const Syntax& syntax, int i);

}  // namespace d2l::emulator::translator
