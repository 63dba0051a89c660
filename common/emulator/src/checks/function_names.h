// SPDX-License-Identifier: MIT
// The names of functions, for launches that give only a pointer to the kernel.
#pragma once

#include <string>

namespace d2l::emulator {

/// The name of the function at an address, without its parameters: "scale<float>"; empty if the program has no symbols.
std::string function_name(const void* function);
/// "ns::scale<float>" of "void ns::scale<float>(float*, int)".
std::string without_parameters(const std::string& demangled);

}  // namespace d2l::emulator
