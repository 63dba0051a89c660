// SPDX-License-Identifier: MIT
// Ctrl-C during ./learn cuda, at several times of the compilation and while a kernel runs that never ends: no process
// and no unfinished file remain.
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "base/files.h"
#include "base/process.h"
#include "temporary_folder.h"

namespace d2l::runner {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

const char* const program = R"(#include <cstdio>
__global__ void endless(volatile int* x) {
  while (*x == 0) continue;
}
int main() {
  int* x;
  cudaMalloc(&x, sizeof(int));
  cudaMemset(x, 0, sizeof(int));
  endless<<<1, 32>>>(x);
  std::fputs("running\n", stderr);
  cudaDeviceSynchronize();
}
)";

class Interrupted : public testing::Test {
 protected:
  /// Starts ./learn cuda as the leader of a process group, as a shell does.
  [[nodiscard]] int start_learn(const std::string& file) const {
    return start({"sh", "-c", "exec \"$0\" cuda \"$1\" >\"$2\" 2>&1", LEARN_RUNNER, folder_ / file, folder_ / "output"},
                 folder_.path(), [&] {
                   ::setpgid(0, 0);
                   ::signal(SIGINT, SIG_DFL);
                   ::setenv("TMPDIR", (folder_ / "tmp").c_str(), 1);
                   ::setenv("D2L_VIRTUAL_GPUS", "1@host", 1);
                 });
  }
  void wait_for_output(const std::string& text) const {
    const auto has_text = [&] {
      return fs::exists(folder_ / "output") && folder_.read("output").find(text) != std::string::npos;
    };
    for (int i = 0; i < 6000 && !has_text(); ++i) std::this_thread::sleep_for(milliseconds(10));
    EXPECT_TRUE(has_text()) << folder_.read("output");
  }
  /// Ctrl-C: the terminal sends the signal to all processes of the group.
  void interrupt(int process) const {
    ::setpgid(process, process);
    ::kill(-process, SIGINT);
    EXPECT_EQ(wait_for(process), 128 + SIGINT) << folder_.read("output");
    for (int i = 0; i < 300 && !processes().empty(); ++i) std::this_thread::sleep_for(milliseconds(10));
    for (const int left : processes()) {
      ADD_FAILURE() << "a process remains: " << read_file("/proc/" + std::to_string(left) + "/cmdline");
      ::kill(left, SIGKILL);
    }
  }
  /// Those with this test's TMPDIR.
  [[nodiscard]] std::vector<int> processes() const {
    std::vector<int> found;
    for (const auto& entry : fs::directory_iterator("/proc")) {
      const int process = std::atoi(entry.path().filename().c_str());
      if (process == 0) continue;
      std::ifstream in(entry.path() / "environ");
      const std::string environment{std::istreambuf_iterator<char>(in), {}};
      if (environment.find("TMPDIR=" + (folder_ / "tmp")) != std::string::npos) found.push_back(process);
    }
    return found;
  }
  [[nodiscard]] static std::vector<std::string> unfinished_files() {
    std::vector<std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator(PROGRAMS)) {
      const std::string suffix = entry.path().extension().string();
      if (suffix == ".part" || suffix == ".partial") found.push_back(entry.path().string());
    }
    return found;
  }

  const tests::TemporaryFolder folder_;
};

TEST_F(Interrupted, LeavesNoProcessAndNoUnfinishedFile) {
  fs::create_directories(folder_ / "tmp");
  fs::create_directories(PROGRAMS);
  const auto before = unfinished_files();
  for (const int delay : {0, 300, 900}) {
    // A file that was not compiled before.
    folder_.write("program.cu", "// " + folder_.path().string() + std::to_string(delay) + "\n" + program);
    fs::remove(folder_ / "output");
    const int learn = start_learn("program.cu");
    wait_for_output("Kernels run");  // now it compiles
    std::this_thread::sleep_for(milliseconds(delay));
    interrupt(learn);
    EXPECT_TRUE(fs::is_empty(folder_ / "tmp")) << "after " << delay << " ms";
  }
  fs::remove(folder_ / "output");
  const int learn = start_learn("program.cu");
  wait_for_output("running");
  interrupt(learn);
  EXPECT_TRUE(fs::is_empty(folder_ / "tmp"));
  EXPECT_EQ(unfinished_files(), before);
  fs::remove_all(fs::path(PROGRAMS) / "tree" / folder_.path().relative_path());
}

}  // namespace
}  // namespace d2l::runner
