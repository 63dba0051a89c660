// SPDX-License-Identifier: MIT
// HIP programs: their messages have HIP's names in the place of CUDA's.
#pragma once

#include <string>

#include "d2l_emulator/runtime_types.h"

namespace d2l::emulator {

/// Called before main() by a file of the program that includes a header of HIP.
void become_hip_program() noexcept;
/// True if a file of the program includes one.
bool is_hip_program() noexcept;

/// The text with the names that the program uses: "cudaMalloc" becomes "hipMalloc" in a HIP program.
std::string in_names_of_program(std::string text);

/// HIP's name of an error, and its description; null if HIP does not have the error, or describes it as CUDA does.
const char* hip_error_name(cudaError_t error) noexcept;
const char* hip_error_text(cudaError_t error) noexcept;

}  // namespace d2l::emulator
