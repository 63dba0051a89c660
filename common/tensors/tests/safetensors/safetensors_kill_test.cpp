// SPDX-License-Identifier: MIT
// A writer that is killed at a random moment leaves a whole file, the old one or the new, and does not disturb the
// next.
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <random>
#include <string>
#include <thread>

#include "d2l/safetensors.h"
#include "safetensors/file_test.h"

extern char** environ;

namespace d2l::testing {
namespace {

using SafetensorsKill = FileTest;

constexpr int kills = 200;

/// A process that saves one state after the other; when it is made, it has saved the first.
class Writer {
 public:
  explicit Writer(std::string path) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    std::string program = D2L_SAFETENSORS_PROGRAM;
    std::string command = "save-for-ever";
    char* const arguments[] = {program.data(), command.data(), path.data(), nullptr};
    const int reason = posix_spawn(&process_, program.c_str(), &actions, nullptr, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    char begun = 0;
    const bool well = reason == 0 && read(ends[0], &begun, 1) == 1;
    close(ends[0]);
    if (!well) throw std::runtime_error("the writer did not begin");
  }
  ~Writer() {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

 private:
  pid_t process_ = 0;
};

/// The number that all of a saved state consists of; a mixture of states is a failure.
float state_in(const std::string& path) {
  const auto tensors = load_file(path);
  EXPECT_EQ(tensors.size(), 64U);
  const auto state = tensors[0].value()[0].item<float>();
  for (const auto& item : tensors) {
    const auto numbers = item.value().to_vector<float>();
    EXPECT_EQ(numbers, std::vector<float>(1000, state)) << item.key();
  }
  return state;
}

TEST_F(SafetensorsKill, AlwaysFindsAWholeFile) {
  std::mt19937 random(20'26);
  std::uniform_int_distribution<int> moment(0, 4000);
  int left = 0;
  float last = 0;
  for (int i = 0; i < kills; ++i) {
    {
      const Writer writer(path);
      std::this_thread::sleep_for(std::chrono::microseconds(moment(random)));
    }
    last = state_in(path);
    EXPECT_GE(last, 1);
    // The file, and at most what this writer was at: what earlier ones left, it has removed.
    EXPECT_LE(folder.files(), 2);
    left += folder.files() - 1;
    if (HasFailure()) break;
  }
  // Where a file may be without a name until it is whole, almost no writer leaves one.
  const int nameless = open((folder / "").c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0600);
  EXPECT_LT(left, nameless >= 0 ? kills / 10 : kills);
  close(nameless);
  save_file({{"after", ones({1})}}, path);
  EXPECT_EQ(folder.files(), 1);
}

}  // namespace
}  // namespace d2l::testing
