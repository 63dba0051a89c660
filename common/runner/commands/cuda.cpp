// SPDX-License-Identifier: MIT
// ./learn cuda
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "base/error.h"
#include "base/process.h"
#include "build/build.h"
#include "build/choice.h"
#include "build/cuda_program.h"
#include "commands/subcommand.h"

namespace d2l::runner {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view usage =
    "./learn cuda FILE.cu... [-I FOLDER] [--check] [--report] [-- ARGUMENTS]\n"
    "compiles a CUDA program and runs it: on virtual GPUs, or on the card if this machine has one\n"
    "  -I FOLDER    look for headers there, too\n"
    "  --check      report wrong accesses, races and barriers\n"
    "  --report     show the memory requests of each kernel, by line\n";

struct Request {
  CudaProgram program;
  Command arguments;
  bool check = false;
  bool report = false;
};

fs::path existing_file(const std::string& name) {
  const fs::path file = name;
  if (!fs::exists(file)) throw Stop(wrong_usage, fmt::format("learn cuda: there is no file {}.", name));
  if (!fs::is_regular_file(file)) throw Stop(wrong_usage, fmt::format("learn cuda: {} is not a file.", name));
  const std::string extension = file.extension().string();
  for (const char* known : {".cu", ".cpp", ".cc", ".cxx", ".c"}) {
    if (extension == known) return file;
  }
  throw Stop(wrong_usage,
             fmt::format("learn cuda: {} is not a source file: name files that end with .cu or .cpp.", name));
}

Request parse(const Command& words) {
  Request request;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--") {
      request.arguments.assign(words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end());
      break;
    }
    if (word == "--check") {
      request.check = true;
    } else if (word == "--report") {
      request.report = true;
    } else if (word.starts_with("-I")) {
      const std::string folder = word.size() > 2 ? word.substr(2) : (i + 1 < words.size() ? words[++i] : "");
      if (!fs::is_directory(folder)) {
        throw Stop(wrong_usage, fmt::format("learn cuda: -I {}: there is no such folder.", folder));
      }
      request.program.include_folders.emplace_back(folder);
    } else if (word.starts_with("-")) {
      throw Stop(wrong_usage, fmt::format("learn cuda: there is no option {}. Arguments of the program follow --.\n{}",
                                          word, usage));
    } else {
      request.program.files.push_back(existing_file(word));
    }
  }
  if (request.program.files.empty()) throw Stop(wrong_usage, fmt::format("learn cuda: name a file.\n{}", usage));
  request.program.instrumented = request.check || request.report;
  return request;
}

int run_program(Command command) {
  const int code = run(command, fs::current_path());
  if (const std::string how = signal_words(code); !how.empty()) fmt::print(stderr, "The program {}.\n", how);
  return code;
}

int run_cuda(const Options& options) {
  if (options.rest.size() == 1 && (options.rest[0] == "--help" || options.rest[0] == "-h")) {
    fmt::print("{}", usage);
    return 0;
  }
  const Request request = parse(options.rest);
  const Choice choice = choose(false);
  const bool card = uses_card(choice);
  const Build build(card ? choice.preset : "cpu");
  Command command;
  if (card) {
    if (request.check) command = {"compute-sanitizer"};
    command.push_back(build_with_nvcc(request.program, build.folder()).string());
  } else {
    build.make({"d2l_cuda_emulator"}, "Building the emulator");
    command.push_back(build_emulated(request.program, build.folder()).string());
    setenv("D2L_VIRTUAL_GPUS", "1@host", 0);
    if (request.check) setenv("D2L_CHECK_KERNELS", "1", 1);
    if (request.report) setenv("D2L_KERNEL_REPORT", "1", 1);
  }
  std::fflush(stdout);
  command.insert(command.end(), request.arguments.begin(), request.arguments.end());
  return run_program(command);
}

}  // namespace

Subcommand cuda_subcommand() {
  return {
      "cuda", "compile and run a CUDA program, on virtual GPUs without a card", run_cuda, {}, Subcommand::Rest::all};
}

}  // namespace d2l::runner
