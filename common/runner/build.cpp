// SPDX-License-Identifier: MIT
// Configures and builds with CMake, reads its progress, and keeps a log.
#include "build.h"

#include <fmt/format.h>

#include <cstdlib>
#include <deque>
#include <fstream>
#include <regex>

#include "error.h"
#include "machine.h"
#include "process.h"
#include "terminal.h"

namespace d2l::runner {
namespace {

namespace fs = std::filesystem;

/// How far a build is by a line of ninja or make: "[3/40]" or "[ 12%]"; empty for other lines, and for ninja's look for
/// new files, "[0/2]".
std::string how_far(const std::string& line) {
  static const std::regex step(R"(^\[ *([1-9]\d*/\d+|\d+%)\])");
  std::smatch match;
  return std::regex_search(line, match, step) ? match[1].str() : std::string();
}

bool begins_error(const std::string& line) {
  return line.find("error:") != std::string::npos || line.find("Error") != std::string::npos ||
         line.find("undefined reference") != std::string::npos || line.find("FAILED:") != std::string::npos;
}

/// The first lines about the first error in a log; its last lines when no line looks like one.
std::string first_error(const fs::path& log) {
  constexpr std::size_t shown = 12;
  std::deque<std::string> lines;
  bool found = false;
  std::ifstream in(log);
  for (std::string line; std::getline(in, line) && !(found && lines.size() >= shown);) {
    if (!found && begins_error(line)) {
      found = true;
      lines.clear();
    }
    lines.push_back(line.substr(0, 400));
    if (!found && lines.size() > shown) lines.pop_front();
  }
  std::string text;
  for (const auto& line : lines) text += "  " + line + "\n";
  return text;
}

void run_logged(const Command& command, const fs::path& log, const std::string& title, const std::string& fix) {
  std::ofstream out(log);
  Progress progress(title);
  const int code = run_reading(command, root(), [&](const std::string& line) {
    out << line << '\n';
    const std::string step = how_far(line);
    if (!step.empty()) progress.step(step);
  });
  out.close();
  progress.clear();
  if (code == 0) return;
  throw Stop(failed, fmt::format("{} failed. The first error:\n\n{}\nAll of it is in {}\n{}", title, first_error(log),
                                 log.string(), fix));
}

}  // namespace

fs::path root() {
  const char* given = std::getenv("LEARN_ROOT");
  return given != nullptr && *given != '\0' ? fs::path(given) : fs::path(LEARN_SOURCE);
}

Build::Build(const std::string& preset) : preset_(preset), folder_(root() / "build" / preset) {
  if (fs::exists(folder_ / "build.ninja") || fs::exists(folder_ / "Makefile")) return;
  fs::create_directories(folder_);
  Command command{"cmake", "-S", root().string(), "--preset", preset};
  if (!find_program("ninja").empty()) command.insert(command.end(), {"-G", "Ninja"});
  if (preset == "cuda") command.push_back("-DCMAKE_CUDA_COMPILER=" + cuda_compiler().string());
  run_logged(command, folder_ / "configure.log", "Configuring " + preset,
             "If packages are missing: ./learn setup. If an older build is in the way: ./learn clean");
}

void Build::make(const std::vector<std::string>& targets, const std::string& title) const {
  Command command{"cmake", "--build", folder_.string(), "--parallel", std::to_string(parallel_jobs())};
  if (!targets.empty()) {
    command.emplace_back("--target");
    command.insert(command.end(), targets.begin(), targets.end());
  }
  run_logged(command, folder_ / "build.log", title, "");
}

Choice choose(bool cuda) {
  const int gpus = physical_gpus();
  const bool toolkit = !cuda_compiler().empty();
  if (cuda && !toolkit) {
    throw Stop(
        wrong_usage,
        "--cuda asks for a build with CUDA, and there is no CUDA toolkit: no nvcc along PATH or in /usr/local/cuda."
        "\nInstall it (developer.nvidia.com/cuda-downloads) or go without: virtual GPUs need none.");
  }
  if (cuda || (gpus > 0 && toolkit)) return {"cuda", gpus, ""};
  if (gpus == 0) return {"cpu", 0, ""};
  return {"cpu", 0,
          fmt::format("{} GPU{} visible, but there is no CUDA toolkit to build with: install it "
                      "(developer.nvidia.com/cuda-downloads) to use {}.",
                      gpus, gpus == 1 ? " is" : "s are", gpus == 1 ? "it" : "them")};
}

}  // namespace d2l::runner
