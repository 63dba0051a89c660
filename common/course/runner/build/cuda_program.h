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
  bool optimised = true;      ///< else for a debugger
  bool separate = false;      ///< device code of a file uses that of another one: nvcc must be told
  bool openmp = false;        ///< of the host's code
  unsigned warp_size = 32;    ///< the lanes of a warp: 32 or 64
  bool hip = false;           ///< all files are HIP programs, also those that nothing else tells it of
};

/// Where the emulator is: in a build, or installed.
struct Emulator {
  std::filesystem::path descriptions;          ///< the folder of compile.txt, link.txt and instrument.txt
  std::string prefix;                          ///< what @PREFIX@ in them stands for
  std::filesystem::path programs;              ///< the folder in which programs are built
  std::vector<std::filesystem::path> headers;  ///< folders: a change in them compiles all again
};

/// Writes the places of a program, and of the files that it includes, that are right for warps of 32 lanes only. True
/// if there are any.
bool tell_narrow_places(const CudaProgram& program);
/// True if a file is a HIP program: there is no other compiler for it than the emulator.
bool has_hip(const CudaProgram& program);
/// Compiles a program with the emulator; what did not change is not compiled again. Returns the executable. Stop when
/// the compiler, which has printed its messages, finds errors.
std::filesystem::path build_emulated(const CudaProgram& program, const Emulator& emulator);
/// The same with nvcc; the executable is in `folder`.
std::filesystem::path build_with_nvcc(const CudaProgram& program, const std::filesystem::path& folder);

}  // namespace d2l::runner
