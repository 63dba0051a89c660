// SPDX-License-Identifier: MIT
// Without templates of the standard library: a program has instrumented copies of them, and the linker may take those,
// whose accesses would then be taken for those of the kernel that runs.
#include "checks/library_files.h"

#include <unistd.h>

#include <cstddef>
#include <cstring>

namespace d2l::emulator {
namespace {

constexpr std::size_t max_characters = 4096;

/// Remembers the last answer: the rows of a line table come in the order of their files.
bool exists(const char* path) {
  thread_local char last[max_characters] = "";
  thread_local bool answer = false;
  if (std::strcmp(last, path) != 0) {
    answer = access(path, F_OK) == 0;
    std::strcpy(last, path);
  }
  return answer;
}

/// Whether `path` has `folder` in it, and `file` is beside the folder.
bool within(const char* path, const char* folder, const char* file) {
  for (const char* at = std::strstr(path, folder); at != nullptr; at = std::strstr(at + 1, folder)) {
    const auto length = static_cast<std::size_t>(at - path);
    char beside[max_characters];
    if (length + std::strlen(file) >= max_characters) return false;
    std::memcpy(beside, path, length);
    std::strcpy(beside + length, file);
    if (exists(beside)) return true;
  }
  return false;
}

}  // namespace

bool is_file_of_thrust(const char* path) {
  if (std::strstr(path, "/d2l_emulator/stream_algorithms.h") != nullptr) return true;
  if (std::strstr(path, "/d2l_emulator/cccl/device_malloc.h") != nullptr) return true;
  return within(path, "/thrust/", "/thrust/version.h") || within(path, "/thrust/", "/d2l_emulator/language.h");
}
bool is_file_of_libcudacxx(const char* path) { return within(path, "/cuda/", "/thrust/version.h"); }

}  // namespace d2l::emulator
