// SPDX-License-Identifier: MIT
// Names in a CUDA program that the emulator does not support.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace d2l::emulator::translator {

/// A name in a program, and what it belongs to.
struct UnsupportedName {
  std::string name;       ///< for example "cuModuleLoad"
  std::string_view what;  ///< for example "the driver's API"
  int line = 0;           ///< where it is first
};

/// The names in a source, each once: for a program that does not compile, to tell why.
std::vector<UnsupportedName> unsupported_names(std::string_view source);

}  // namespace d2l::emulator::translator
