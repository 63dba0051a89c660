// SPDX-License-Identifier: MIT
// The arguments of ./learn cuda, and of d2l_cuda, the same command of an installed package.
#pragma once

#include <string>

#include "base/process.h"
#include "build/cuda_program.h"

namespace d2l::runner {

struct CudaRequest {
  CudaProgram program;
  Command arguments;    ///< of the program
  bool check = false;   ///< report wrong accesses
  bool report = false;  ///< show the memory requests
  bool help = false;
};

/// Reads the arguments; Stop with what is wrong. `command` is its name in messages: "learn cuda".
CudaRequest read_cuda_request(const Command& words, const std::string& command);
/// How to use the command.
std::string cuda_usage(const std::string& command);
/// Builds a program with the emulator and runs it; its exit code.
int run_emulated(const CudaRequest& request, const Emulator& emulator);
/// Runs a built program with the request's arguments, after `before`; its exit code.
int run_cuda_program(const CudaRequest& request, Command before);

}  // namespace d2l::runner
