// SPDX-License-Identifier: MIT
// The arguments of ./learn cuda, and of d2l_cuda, the same command of an installed package.
#pragma once

#include <filesystem>
#include <string>

#include "base/process.h"
#include "build/cuda_program.h"

namespace d2l::runner {

struct CudaRequest {
  CudaProgram program;
  Command arguments;    ///< of the program
  bool check = false;   ///< report wrong accesses
  bool report = false;  ///< show the memory requests
  /// The HTML file with the memory requests; empty if none is wanted.
  std::filesystem::path page;
  bool debug = false;  ///< start the program in a debugger
  bool help = false;
};

/// Reads the arguments; Stop with what is wrong. `command` is its name in messages: "learn cuda".
CudaRequest read_cuda_request(const Command& words, const std::string& command);
/// How to use the command.
std::string cuda_usage(const std::string& command);
/// Builds a program with the emulator and runs it, after `before`; its exit code.
int run_emulated(const CudaRequest& request, const Emulator& emulator, Command before);
/// What starts the program: nothing, or with --debug gdb, on a card cuda-gdb; Stop where that is missing.
Command debugger(const CudaRequest& request, bool card);
/// Runs a built program with the request's arguments, after `before`; its exit code.
int run_cuda_program(const CudaRequest& request, Command before);

}  // namespace d2l::runner
