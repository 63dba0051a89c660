// SPDX-License-Identifier: MIT
#include "base/root.h"

#include <algorithm>
#include <cstdlib>

namespace d2l::runner {

std::filesystem::path root() {
  const char* given = std::getenv("LEARN_ROOT");
  return given != nullptr && *given != '\0' ? given : LEARN_SOURCE;
}

std::vector<std::filesystem::path> public_headers(const std::filesystem::path& course) {
  std::vector<std::filesystem::path> folders;
  for (const auto& room : std::filesystem::directory_iterator(course / "common")) {
    if (std::filesystem::exists(room.path() / "include/d2l")) folders.push_back(room.path() / "include");
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

}  // namespace d2l::runner
