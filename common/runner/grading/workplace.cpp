// SPDX-License-Identifier: MIT
// Makes the folder, gives it away, and removes it.
#include "workplace.h"

#include "scratch.h"

namespace d2l::grading {

namespace fs = std::filesystem;

Workplace::Workplace(const Sandbox& sandbox, const fs::path& place, int slot)
    : sandbox_(sandbox), folder_(place / std::to_string(slot) / "work"), slot_(slot) {
  remove_folder(folder_);
  fs::create_directories(folder_);
}

Workplace::~Workplace() { remove_folder(folder_); }

Ending Workplace::run(const std::vector<std::string>& command, const std::vector<fs::path>& readable,
                      const Limits& limits, const std::map<std::string, std::string>& environment) const {
  sandbox_.give(folder_, slot_);
  Task task{command, folder_, readable, plain_environment(folder_, 1), limits, false};
  for (const auto& [name, value] : environment) task.environment[name] = value;
  const auto virtual_gpus = environment.find("D2L_VIRTUAL_GPUS");
  task.devices = virtual_gpus != environment.end() && virtual_gpus->second.find("@host") == std::string::npos;
  return sandbox_.run(task, slot_);
}

Limits compiling_limits() {
  Limits limits;
  limits.seconds = 180;
  limits.cpu_seconds = 60;
  limits.memory = std::uint64_t{3} << 30;
  limits.files = std::uint64_t{256} << 20;
  return limits;
}

}  // namespace d2l::grading
