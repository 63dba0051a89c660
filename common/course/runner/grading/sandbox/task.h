// SPDX-License-Identifier: MIT
// What the sandbox runs, and how it ended. Both reach and leave the supervisor as JSON.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace d2l::grading {

/// What a program and its descendants may use before they are ended.
struct Limits {
  /// All processes together: what they compute, and the time in which none computes. The time in which they wait for a
  /// processor does not count, so a busy machine ends no program.
  double seconds = 50;
  double cpu_seconds = 10;  ///< of one process
  std::uint64_t memory = std::uint64_t{1} << 30;
  std::uint64_t shared = std::uint64_t{256} << 20;  ///< bytes of all shared mappings that are ever made
  std::uint64_t output = std::uint64_t{1} << 20;    ///< bytes printed
  std::uint64_t files = std::uint64_t{1} << 29;     ///< bytes in its folder, and of one file
  int processes = 16;
  int threads = 128;  ///< of all processes
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Limits, seconds, cpu_seconds, memory, shared, output, files, processes, threads)

/// A program to run in the sandbox.
struct Task {
  std::vector<std::string> command;
  std::string folder;                 ///< its working folder, the only one that it may write
  std::vector<std::string> readable;  ///< files that it may read and execute, besides the system's programs
  std::map<std::string, std::string> environment;
  Limits limits;
  bool devices = false;     ///< whether it may use the machine's GPUs
  bool own_disk = false;    ///< whether the folder is a file system of its own, with the size of the limit
  std::string groups = {};  ///< where a control group is made for it; empty for none
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Task, command, folder, readable, environment, limits, devices, own_disk, groups)

/// What isolates a program.
enum class Isolation { landlock, bubblewrap };

/// The user ID that a program runs as; 0 for the caller's own, which is then not root.
using User = unsigned;

/// Why a program no longer runs.
enum class Cause { ended, seconds, cpu_seconds, memory, output, files, processes, not_started };

/// How a program ended, after the last of its processes.
struct Ending {
  Cause cause = Cause::not_started;
  int exit_code = 0;
  int signal = 0;  ///< that ended it; 0 for none
  double seconds = 0;
  std::uint64_t memory = 0;  ///< the highest use seen
  std::string output;        ///< the beginning of what it printed
  std::string problem;       ///< why it did not start

  [[nodiscard]] bool succeeded() const { return cause == Cause::ended && signal == 0 && exit_code == 0; }
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Ending, cause, exit_code, signal, seconds, memory, output, problem)

/// An ending in words: "ended with exit code 3", "was ended after 10 s of computing"; empty for exit code 0.
std::string describe(const Ending& ending, const Limits& limits);
/// "1 GiB", "512 MiB", "3 bytes".
std::string format_size(std::uint64_t bytes);

}  // namespace d2l::grading
