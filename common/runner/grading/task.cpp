// SPDX-License-Identifier: MIT
// Tasks and endings as JSON, which is how they reach the supervisor and come back, and in words.
#include "task.h"

#include <fmt/format.h>

#include <cstring>
#include <nlohmann/json.hpp>

namespace d2l::grading {

std::string size_words(std::uint64_t bytes) {
  const char* units[] = {"bytes", "KiB", "MiB", "GiB"};
  std::size_t unit = 0;
  while (unit < 3 && bytes >= 1024 && bytes % 1024 == 0) {
    bytes /= 1024;
    ++unit;
  }
  return fmt::format("{} {}", bytes, units[unit]);
}

std::string words(const Ending& ending, const Limits& limits) {
  switch (ending.cause) {
    case Cause::seconds:
      return fmt::format("was ended after {:g} s", limits.seconds);
    case Cause::cpu_seconds:
      return fmt::format("was ended after {:g} s of computing", limits.cpu_seconds);
    case Cause::memory:
      return fmt::format("used more than {} of memory", size_words(limits.memory));
    case Cause::output:
      return fmt::format("printed more than {}", size_words(limits.output));
    case Cause::files:
      return fmt::format("wrote more than {} into its folder", size_words(limits.files));
    case Cause::processes:
      return fmt::format("started more than {} processes", limits.processes);
    case Cause::not_started:
      return fmt::format("could not be started: {}", ending.problem);
    case Cause::ended:
      break;
  }
  if (ending.signal != 0) return fmt::format("crashed: {} (signal {})", strsignal(ending.signal), ending.signal);
  return ending.exit_code == 0 ? std::string() : fmt::format("ended with exit code {}", ending.exit_code);
}

void to_json(nlohmann::json& json, const Task& task) {
  std::vector<std::string> readable;
  for (const auto& path : task.readable) readable.push_back(path.string());
  const Limits& limits = task.limits;
  json = {{"command", task.command},
          {"folder", task.folder.string()},
          {"readable", readable},
          {"environment", task.environment},
          {"devices", task.devices},
          {"seconds", limits.seconds},
          {"cpu_seconds", limits.cpu_seconds},
          {"memory", limits.memory},
          {"output", limits.output},
          {"files", limits.files},
          {"processes", limits.processes},
          {"threads", limits.threads}};
}

void from_json(const nlohmann::json& json, Task& task) {
  json.at("command").get_to(task.command);
  task.folder = json.at("folder").get<std::string>();
  for (const auto& path : json.at("readable")) task.readable.emplace_back(path.get<std::string>());
  json.at("environment").get_to(task.environment);
  json.at("devices").get_to(task.devices);
  Limits& limits = task.limits;
  json.at("seconds").get_to(limits.seconds);
  json.at("cpu_seconds").get_to(limits.cpu_seconds);
  json.at("memory").get_to(limits.memory);
  json.at("output").get_to(limits.output);
  json.at("files").get_to(limits.files);
  json.at("processes").get_to(limits.processes);
  json.at("threads").get_to(limits.threads);
}

void to_json(nlohmann::json& json, const Ending& ending) {
  json = {{"cause", static_cast<int>(ending.cause)},
          {"exit_code", ending.exit_code},
          {"signal", ending.signal},
          {"seconds", ending.seconds},
          {"memory", ending.memory},
          {"output", ending.output},
          {"problem", ending.problem}};
}

void from_json(const nlohmann::json& json, Ending& ending) {
  ending.cause = static_cast<Cause>(json.at("cause").get<int>());
  json.at("exit_code").get_to(ending.exit_code);
  json.at("signal").get_to(ending.signal);
  json.at("seconds").get_to(ending.seconds);
  json.at("memory").get_to(ending.memory);
  json.at("output").get_to(ending.output);
  json.at("problem").get_to(ending.problem);
}

}  // namespace d2l::grading
