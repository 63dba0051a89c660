// SPDX-License-Identifier: MIT
#include "calls/inlined_calls.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <map>
#include <mutex>
#include <sstream>
#include <string>
#include <unordered_map>
#include <utility>

#include "checks/library_files.h"

namespace d2l::emulator {
namespace {

using Chain = std::vector<InlinedCall>;

/// What the command writes to its standard output; empty if it cannot be started.
std::string output_of(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return "";
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t process = 0;
  const int error = posix_spawnp(&process, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  std::string text;
  if (error == 0) {
    std::array<char, 4096> part{};
    for (ssize_t bytes = 1; bytes > 0 || (bytes < 0 && errno == EINTR);) {
      bytes = ::read(ends[0], part.data(), part.size());
      if (bytes > 0) text.append(part.data(), static_cast<std::size_t>(bytes));
    }
    int status = 0;
    while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    if (status != 0) text.clear();
  }
  ::close(ends[0]);
  return text;
}

/// "/folder/x.cu:12 (discriminator 3)"; line 0 if it is not known.
SourceLine line_of(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  SourceLine line;
  if (colon == std::string::npos) return line;
  std::from_chars(text.data() + colon + 1, text.data() + text.size(), line.line);
  line.path = text.substr(0, colon);
  line.file = line.path.substr(line.path.rfind('/') + 1);
  line.of_library = is_file_of_thrust(line.path.c_str()) || is_file_of_libcudacxx(line.path.c_str());
  return line;
}

/// The chains of some addresses of a program or library, relative to where it is loaded.
std::vector<Chain> chains_of(const std::string& path, const std::vector<std::uintptr_t>& addresses) {
  std::vector<std::string> words{"addr2line", "-a", "-f", "-C", "-i", "-e", path};
  for (const std::uintptr_t address : addresses) words.push_back(fmt::format("{:#x}", address));
  std::vector<Chain> chains;
  std::istringstream lines(output_of(std::move(words)));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("0x")) {
      chains.emplace_back();
    } else if (!chains.empty()) {
      InlinedCall call{{}, line};  // two lines: the function, and the place in it
      if (std::getline(lines, line)) call.line = line_of(line);
      chains.back().push_back(std::move(call));
    }
  }
  chains.resize(addresses.size());
  return chains;
}

struct Known {
  std::mutex mutex;
  std::unordered_map<const void*, Chain> chains;
};

}  // namespace

std::vector<std::vector<InlinedCall>> inlined_calls(const std::vector<const void*>& return_addresses) {
  static auto& known = *new Known;  // never destroyed: reports are written until the process has ended
  const std::lock_guard lock(known.mutex);
  std::map<std::string, std::vector<std::pair<const void*, std::uintptr_t>>> missing;  // by the file
  for (const void* const address : return_addresses) {
    Dl_info image{};
    if (known.chains.contains(address) || dladdr(address, &image) == 0) continue;
    const bool relative = image.dli_fname == nullptr || image.dli_fname[0] != '/';
    const std::string path = relative ? fmt::format("/proc/{}/exe", ::getpid()) : image.dli_fname;
    const bool fixed = static_cast<const Elf64_Ehdr*>(image.dli_fbase)->e_type == ET_EXEC;
    const std::uintptr_t begin = fixed ? 0 : reinterpret_cast<std::uintptr_t>(image.dli_fbase);
    missing[path].emplace_back(address, reinterpret_cast<std::uintptr_t>(address) - 1 - begin);
  }
  for (const auto& [path, places] : missing) {
    std::vector<std::uintptr_t> addresses;
    for (const auto& [address, offset] : places) addresses.push_back(offset);
    std::vector<Chain> chains = chains_of(path, addresses);
    for (std::size_t i = 0; i < places.size(); ++i) known.chains[places[i].first] = std::move(chains[i]);
  }
  std::vector<Chain> result;
  for (const void* const address : return_addresses) result.push_back(known.chains[address]);
  return result;
}

}  // namespace d2l::emulator
