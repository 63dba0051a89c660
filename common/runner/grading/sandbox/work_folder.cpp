// SPDX-License-Identifier: MIT
#include "grading/sandbox/work_folder.h"

#include "grading/sandbox/temporary_folder.h"

namespace d2l::grading {

namespace fs = std::filesystem;

WorkFolder::WorkFolder(const Sandbox& sandbox, const fs::path& place, int slot)
    : sandbox_(sandbox), folder_(place / std::to_string(slot) / "work"), slot_(slot) {
  remove_folder(folder_);
  fs::create_directories(folder_);
}

WorkFolder::~WorkFolder() { remove_folder(folder_); }

Ending WorkFolder::run(const std::vector<std::string>& command, const std::vector<std::string>& readable,
                       const Limits& limits, const std::map<std::string, std::string>& environment) const {
  sandbox_.change_owner(folder_, slot_);
  Task task{command, folder_, readable, base_environment(folder_, 1), limits, false};
  for (const auto& [name, value] : environment) task.environment[name] = value;
  const auto virtual_gpus = environment.find("D2L_VIRTUAL_GPUS");
  task.devices = virtual_gpus != environment.end() && virtual_gpus->second.find("@host") == std::string::npos;
  return sandbox_.run(task, slot_);
}

}  // namespace d2l::grading
