// SPDX-License-Identifier: MIT
#include "grading/sandbox/temporary_folder.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include "base/error.h"
#include "grading/sandbox/folder_tree.h"

namespace d2l::grading {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder() {
  std::string name = (fs::canonical(fs::temp_directory_path()) / "d2l-grading-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr || chmod(name.c_str(), geteuid() == 0 ? 0711 : 0700) != 0)
    throw runner::Stop(runner::failed, fmt::format("{}: {}", name, std::strerror(errno)));
  folder_ = name;
}

TemporaryFolder::~TemporaryFolder() { remove_folder(folder_); }

void make_readable(const fs::path& folder) {
  const auto allow = [](const fs::path& path) {
    const bool runs =
        fs::is_directory(path) || (fs::status(path).permissions() & fs::perms::owner_exec) != fs::perms::none;
    fs::permissions(path, fs::perms(runs ? 0755 : 0644));
  };
  allow(folder);
  if (!fs::is_directory(folder)) return;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) allow(entry.path());
}

}  // namespace d2l::grading
