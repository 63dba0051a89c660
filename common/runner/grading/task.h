// SPDX-License-Identifier: MIT
// What is asked of the sandbox, and what it answers.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace d2l::grading {

/// What a program and all that it starts may use together before they are ended.
struct Limits {
  double seconds = 50;      ///< on the wall's clock
  double cpu_seconds = 10;  ///< of one process
  std::uint64_t memory = std::uint64_t{1} << 30;
  std::uint64_t output = std::uint64_t{1} << 20;  ///< what it prints
  std::uint64_t files = std::uint64_t{1} << 29;   ///< what it leaves in its folder, and one file at most
  int processes = 16;
  int threads = 128;  ///< of all processes
};

/// A program to run in the sandbox.
struct Task {
  std::vector<std::string> command;
  std::filesystem::path folder;                 ///< its working folder, and the only one that it may write
  std::vector<std::filesystem::path> readable;  ///< what it may read and execute beside the system's own programs
  std::map<std::string, std::string> environment;
  Limits limits;
  bool devices = false;  ///< whether it may use the GPUs of the machine
};

/// What keeps a program in.
enum class Walls { landlock, bubblewrap };

/// The user that a program runs as: 0 for the one who runs the sandbox, who then is not root.
using User = unsigned;

/// Why a program is no longer running.
enum class Cause { ended, seconds, cpu_seconds, memory, output, files, processes, not_started };

/// How a program ended, when nothing that it had started was left.
struct Ending {
  Cause cause = Cause::not_started;
  int exit_code = 0;
  int signal = 0;  ///< that it died of; 0 for none
  double seconds = 0;
  std::uint64_t memory = 0;  ///< the most that was seen in use
  std::string output;        ///< the beginning of what it printed, as UTF-8
  std::string problem;       ///< why it was not started

  [[nodiscard]] bool succeeded() const { return cause == Cause::ended && signal == 0 && exit_code == 0; }
};

/// The end in words: "ended with exit code 3", "was ended after 10 s of computing"; empty for exit code 0.
std::string words(const Ending& ending, const Limits& limits);
/// "1 GiB", "512 MiB", "3 bytes".
std::string size_words(std::uint64_t bytes);

void to_json(nlohmann::json& json, const Task& task);
void from_json(const nlohmann::json& json, Task& task);
void to_json(nlohmann::json& json, const Ending& ending);
void from_json(const nlohmann::json& json, Ending& ending);

}  // namespace d2l::grading
