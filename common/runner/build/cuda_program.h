// SPDX-License-Identifier: MIT
// Compiles the CUDA programs of users: with the emulator, or with nvcc.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace d2l::runner {

struct CudaProgram {
  std::vector<std::filesystem::path> files;
  std::vector<std::filesystem::path> include_folders;
  bool instrumented = false;  ///< for checks and counts: it runs slower
};

/// Compiles a program with the emulator of the build in `folder`; what did not change is not compiled again. Returns
/// the executable. Stop when the compiler, which has printed its messages, finds errors.
std::filesystem::path build_emulated(const CudaProgram& program, const std::filesystem::path& folder);
/// The same with nvcc.
std::filesystem::path build_with_nvcc(const CudaProgram& program, const std::filesystem::path& folder);

}  // namespace d2l::runner
