// SPDX-License-Identifier: MIT
#include "grading/sandbox/work_folder.h"

#include <fmt/format.h>
#include <sys/mount.h>

#include <cerrno>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include "grading/sandbox/folder_tree.h"

namespace d2l::grading {

namespace fs = std::filesystem;

namespace {

/// Makes a file system of `bytes` in `folder`, or, with MS_REMOUNT, changes its size.
void mount_disk(const fs::path& folder, std::uint64_t bytes, unsigned long how) {
  // One more, so that a program that has reached the limit is seen; as many names as size_of() would allow.
  const std::string options = fmt::format("size={},nr_inodes={}", bytes + (1 << 20), bytes / 4096);
  if (mount("d2l-grading", folder.c_str(), "tmpfs", MS_NOSUID | MS_NODEV | how, options.c_str()) != 0)
    throw std::system_error(errno, std::generic_category(), folder.string());
}

/// The memory of the virtual GPUs of COUNT[:MEMORY][@host]…, which are shared mappings.
std::uint64_t device_memory(const std::string& gpus) {
  char* after = nullptr;
  const std::uint64_t count = std::strtoull(gpus.c_str(), &after, 10);
  if (*after != ':') return count * (std::uint64_t{2} << 30);
  const std::uint64_t memory = std::strtoull(after + 1, &after, 10);
  const std::size_t unit = std::string_view("BKMGT").find(*after == '\0' ? 'B' : *after);
  return unit == std::string_view::npos ? 0 : count * (memory << (10 * unit));
}

}  // namespace

WorkFolder::WorkFolder(const Sandbox& sandbox, const fs::path& place, int slot)
    : sandbox_(sandbox), folder_(place / std::to_string(slot) / "work"), slot_(slot) {
  remove_folder(folder_);
  fs::create_directories(folder_);
  if (sandbox_.own_disks()) mount_disk(folder_, Limits().files, 0);
}

WorkFolder::~WorkFolder() {
  if (sandbox_.own_disks()) umount2(folder_.c_str(), MNT_DETACH);
  remove_folder(folder_);
}

Ending WorkFolder::run(const std::vector<std::string>& command, const std::vector<std::string>& readable,
                       const Limits& limits, const std::map<std::string, std::string>& environment) const {
  sandbox_.change_owner(folder_, slot_);
  Task task{command, folder_, readable, base_environment(folder_, 1), limits};
  task.own_disk = sandbox_.own_disks();
  if (task.own_disk) mount_disk(folder_, limits.files, MS_REMOUNT);
  for (const auto& [name, value] : environment) task.environment[name] = value;
  const auto virtual_gpus = environment.find("D2L_VIRTUAL_GPUS");
  if (virtual_gpus != environment.end()) task.limits.shared += device_memory(virtual_gpus->second);
  task.devices = virtual_gpus != environment.end() && virtual_gpus->second.find("@host") == std::string::npos;
  if (task.devices) task.limits.shared += limits.memory;  // the driver's
  return sandbox_.run(task, slot_);
}

}  // namespace d2l::grading
