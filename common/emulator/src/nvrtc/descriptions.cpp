// SPDX-License-Identifier: MIT
#include "nvrtc/descriptions.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string_view>

namespace d2l::emulator::nvrtc {

namespace fs = std::filesystem;

namespace {

/// Where the build has put the descriptions; those of an installed package are where d2l_cuda says.
fs::path descriptions() {
  const char* const told = std::getenv("D2L_CUDA_DESCRIPTIONS");
  return told == nullptr || *told == '\0' ? D2L_CUDA_DESCRIPTIONS : told;
}

/// The prefix of an installed package has its descriptions in share/d2l/cuda_emulator.
std::string with_prefix(std::string line, const fs::path& folder) {
  constexpr std::string_view mark = "@PREFIX@";
  const std::string prefix = folder.parent_path().parent_path().parent_path().string();
  for (std::size_t at = 0; (at = line.find(mark, at)) != std::string::npos; at += prefix.size()) {
    line.replace(at, mark.size(), prefix);
  }
  return line;
}

struct Folder {
  Folder() {
    std::string name = (fs::temp_directory_path() / "d2l_nvrtc_XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("nvrtc: cannot make a folder " + name);
    path = name;
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  fs::path path;
};

}  // namespace

std::vector<std::string> description(const char* file) {
  const fs::path path = descriptions() / file;
  std::ifstream input(path);
  if (!input) {
    throw std::runtime_error(
        "nvrtc: error: " + path.string() +
        ", which says how programs are compiled, is missing. Set D2L_CUDA_DESCRIPTIONS to the folder with compile.txt: "
        "common/emulator of a build, or share/d2l/cuda_emulator of an installed package\n");
  }
  std::vector<std::string> lines;
  for (std::string line; std::getline(input, line);) {
    if (!line.empty()) lines.push_back(with_prefix(std::move(line), path.parent_path()));
  }
  return lines;
}

bool run(const std::vector<std::string>& command, std::string& output) {
  static std::atomic<int> runs{0};
  const fs::path file = new_folder() / ("output" + std::to_string(++runs));
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t process = 0;
  const int error = posix_spawnp(&process, words[0], &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw std::runtime_error("nvrtc: error: the compiler " + command.front() + " does not start\n");
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  output += read_file(file);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

fs::path new_folder() {
  static const Folder all;
  static std::atomic<int> made{0};
  fs::path folder = all.path / std::to_string(++made);
  fs::create_directories(folder);
  return folder;
}

std::string read_file(const fs::path& file) {
  std::ifstream input(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(input), {}};
}

void write_file(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream output(file, std::ios::binary);
  output << text;
  output.close();
  if (!output) throw std::runtime_error("nvrtc: error: cannot write " + file.string() + "\n");
}

}  // namespace d2l::emulator::nvrtc
