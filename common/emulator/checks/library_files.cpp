// SPDX-License-Identifier: MIT
#include "checks/library_files.h"

#include <unistd.h>

#include <string>
#include <unordered_map>

namespace d2l::emulator {
namespace {

bool exists(const std::string& path) {
  thread_local std::unordered_map<std::string, bool> known;
  const auto found = known.find(path);
  return found != known.end() ? found->second : known.emplace(path, access(path.c_str(), F_OK) == 0).first->second;
}

/// Whether `path` has `folder` in it, and `file` is beside the folder.
bool within(std::string_view path, std::string_view folder, const char* file) {
  for (auto at = path.find(folder); at != std::string_view::npos; at = path.find(folder, at + 1)) {
    if (exists(std::string(path.substr(0, at)) + file)) return true;
  }
  return false;
}

}  // namespace

bool is_file_of_thrust(std::string_view path) {
  if (path.ends_with("/d2l_emulator/stream_algorithms.h") || path.ends_with("/d2l_emulator/device_malloc.h"))
    return true;
  return within(path, "/thrust/", "/thrust/version.h") || within(path, "/thrust/", "/d2l_emulator/language.h");
}
bool is_file_of_libcudacxx(std::string_view path) { return within(path, "/cuda/", "/thrust/version.h"); }

}  // namespace d2l::emulator
