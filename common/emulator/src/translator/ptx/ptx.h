// SPDX-License-Identifier: MIT
// Inline PTX becomes C++ that does the same, and a clear error where an instruction has no meaning here.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace d2l::emulator::translator {

/// What takes the place of asm(`operands`); nullopt if it is not PTX but the host's assembly.
std::optional<std::string> translated_ptx(std::string_view operands);

}  // namespace d2l::emulator::translator
