// SPDX-License-Identifier: MIT
// Tests the limits of the sandbox with small shell programs, with bubblewrap and without.
#include "grading/sandbox/sandbox.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>

#include "base/error.h"
#include "grading/sandbox/control_group.h"
#include "grading/sandbox/descendants.h"
#include "grading/sandbox/folder_tree.h"
#include "grading/sandbox/supervisor.h"
#include "grading/sandbox/system_calls.h"
#include "grading/sandbox/temporary_folder.h"

namespace d2l::grading {
namespace {

namespace fs = std::filesystem;

class InSandbox : public testing::TestWithParam<Isolation> {
 protected:
  void SetUp() override {
    try {
      sandbox_.emplace(GetParam() == Isolation::bubblewrap);
    } catch (const runner::Stop& stop) {
      GTEST_SKIP() << stop.what();
    }
    if (sandbox_->isolation() != GetParam()) GTEST_SKIP() << "bubblewrap is not installed, or does not work here";
    fs::create_directories(work_);
    sandbox_->change_owner(work_, 0);
  }

  Ending run(const std::string& program, const Limits& limits = {}, const std::vector<std::string>& readable = {}) {
    return sandbox_->run({{"/bin/sh", "-c", program}, work_, readable, base_environment(work_, 1), limits, false}, 0);
  }

  std::optional<Sandbox> sandbox_;
  TemporaryFolder temporary_;
  fs::path work_ = temporary_.folder() / "work";
};

TEST_P(InSandbox, RunsAProgramInItsFolder) {
  const Ending ending = run("pwd; echo kept > file; exit 3");
  EXPECT_EQ(ending.cause, Cause::ended);
  EXPECT_EQ(ending.exit_code, 3);
  EXPECT_EQ(ending.output, work_.string() + "\n");
  EXPECT_TRUE(fs::exists(work_ / "file"));
}

TEST_P(InSandbox, IsNeverRoot) { EXPECT_NE(run("id -u").output, "0\n"); }

TEST_P(InSandbox, LeavesNoProcessBehind) {
  const Ending ending =
      run("setsid sh -c 'echo $$ > first; exec sleep 1000' >/dev/null 2>&1 & "
          "(setsid sleep 1000 >/dev/null 2>&1 &) ; while [ ! -s first ]; do :; done; echo left");
  EXPECT_EQ(ending.output, "left\n");
  EXPECT_LT(ending.seconds, 20);
  for (const auto& process : fs::directory_iterator("/proc")) {
    std::error_code ignored;
    EXPECT_NE(fs::read_symlink(process.path() / "cwd", ignored), work_) << process.path();
  }
}

TEST_P(InSandbox, ReadsOnlyWhatItIsGiven) {
  std::ofstream(temporary_.folder() / "given") << "given";
  std::ofstream(temporary_.folder() / "secret") << "secret";
  make_readable(temporary_.folder() / "given");
  make_readable(temporary_.folder() / "secret");
  const Ending ending = run("cat ../given; cat ../secret 2>/dev/null || echo , and no more", {},
                            {(temporary_.folder() / "given").string()});
  EXPECT_EQ(ending.output, "given, and no more\n");
}

TEST_P(InSandbox, WritesOnlyIntoItsFolder) {
  const fs::path other = temporary_.folder() / "other";
  fs::create_directory(other);
  fs::permissions(other, fs::perms::all);
  std::ofstream(other / "file") << "as it was";
  fs::permissions(other / "file", fs::perms(0666));
  run("echo changed > ../other/file; rm ../other/file; echo new > ../other/new; mv ../other ../moved; chmod 0 "
      "../other/file");
  std::ifstream in(other / "file");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), "as it was");
  EXPECT_FALSE(fs::exists(other / "new"));
}

/// In its life, this process and its children share one processor with a few processes that always compute.
class BusyProcessor {
 public:
  BusyProcessor() {
    sched_getaffinity(0, sizeof before_, &before_);
    cpu_set_t one;
    CPU_ZERO(&one);
    for (int number = 0; CPU_COUNT(&one) == 0; ++number) {
      if (CPU_ISSET(number, &before_)) CPU_SET(number, &one);
    }
    sched_setaffinity(0, sizeof one, &one);
    const pid_t parent = getpid();
    for (pid_t& other : others_) {
      other = fork();
      if (other == 0) {
        setsid();  // Linux shares a processor between sessions first
        while (getppid() == parent) {
        }
        _exit(0);
      }
    }
  }
  ~BusyProcessor() {
    for (const pid_t other : others_) {
      kill(other, SIGKILL);
      waitpid(other, nullptr, 0);
    }
    sched_setaffinity(0, sizeof before_, &before_);
  }
  BusyProcessor(const BusyProcessor&) = delete;
  BusyProcessor& operator=(const BusyProcessor&) = delete;

 private:
  cpu_set_t before_;
  std::array<pid_t, 6> others_{};
};

TEST_P(InSandbox, CountsNoTimeInWhichTheProcessorIsBusyWithOthers) {
  Limits limits;
  limits.seconds = 1.5;
  // Until the shell has computed for half a second.
  const std::string compute =
      "while :; do i=0; while [ $i -lt 99999 ]; do i=$((i+1)); done; times > t; read own rest < t; "
      "case $own in 0m0.[0-4]*) ;; *) exit 0;; esac; done";
  {
    const BusyProcessor busy;
    const Ending ending = run(compute, limits);
    EXPECT_EQ(ending.cause, Cause::ended) << describe(ending, limits);
    EXPECT_GT(ending.seconds, limits.seconds) << "the processor was not busy";
  }
  EXPECT_EQ(run("sleep 1000", limits).cause, Cause::seconds) << "a wait counts";
  EXPECT_EQ(run("while :; do :; done & while :; do :; done & wait", limits).cause, Cause::seconds)
      << "what all of its processes compute counts";
}

TEST_P(InSandbox, KeepsTheBeginningOfWhatIsPrinted) {
  Limits limits;
  limits.output = 1 << 16;
  const Ending ending = run("while :; do echo line; done", limits);
  EXPECT_EQ(ending.cause, Cause::output);
  EXPECT_TRUE(ending.output.starts_with("line\nline\n"));
  EXPECT_LE(ending.output.size(), 1U << 16);
}

TEST_P(InSandbox, SaysWhatCouldNotBeStarted) {
  const Ending ending = sandbox_->run({{"/nowhere/program"}, work_, {}, base_environment(work_, 1), {}, false}, 0);
  EXPECT_FALSE(ending.succeeded());
  EXPECT_NE((ending.problem + ending.output).find("/nowhere/program: No such file"), std::string::npos);
}

TEST_P(InSandbox, SignalsNoProcessOutside) {
  const pid_t bystander = fork();
  if (bystander == 0) {
    pause();
    _exit(0);
  }
  run("kill -9 " + std::to_string(bystander) + "; kill -9 -1; true");
  EXPECT_EQ(kill(bystander, 0), 0);
  EXPECT_EQ(waitpid(bystander, nullptr, WNOHANG), 0);
  kill(bystander, SIGKILL);
  waitpid(bystander, nullptr, 0);
}

TEST(ControlGroup, CountsAFileWithoutAName) {
  const std::string place = ControlGroup::find_place();
  if (place.empty()) GTEST_SKIP() << "this user cannot make control groups here";
  const ControlGroup group(place, std::uint64_t{32} << 20);
  const pid_t child = fork();
  if (child == 0) {
    group.enter();
    const int file = memfd_create("nameless", 0);
    const std::string block(1 << 20, 'x');
    for (int i = 0; i < 256 && write(file, block.data(), block.size()) > 0;) ++i;
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WIFSIGNALED(status) ? WTERMSIG(status) : 0, SIGKILL);
  EXPECT_TRUE(group.exceeded());
}

TEST(Folders, AreRemovedAndMeasuredAtAnyDepth) {
  const TemporaryFolder temporary;
  const fs::path folder = temporary.folder() / "work";
  fs::create_directories(folder / "unreadable" / "inside");
  std::ofstream(folder / "unreadable" / "inside" / "file") << std::string(10000, 'x');
  fs::permissions(folder / "unreadable", fs::perms::none);
  EXPECT_GE(size_of(folder, 1 << 20), 3U * 4096 + 10000);
  EXPECT_LE(size_of(folder, 1 << 20), 1U << 17);
  EXPECT_GT(size_of(folder, 1000), 1000U);
  int inside = open(folder.c_str(), O_RDONLY);
  const std::string name(100, 'd');
  for (int depth = 0; depth < 300; ++depth) {
    mkdirat(inside, name.c_str(), 0700);
    const int next = openat(inside, name.c_str(), O_RDONLY);
    mkdirat(next, "1", 0);
    close(inside);
    inside = next;
  }
  close(inside);
  EXPECT_GT(size_of(folder, std::uint64_t{1} << 40), std::uint64_t{1} << 40);
  remove_folder(folder);
  EXPECT_FALSE(fs::exists(folder));
}

// Some calls that are refused do not exist on ARM; the calls that the C library makes in their place are refused too.
TEST(SystemCalls, TheFilterIsMadeOnEachArchitecture) {
  const int end = system_call_filter_pipe(false);
  std::array<char, 65536> filter{};
  const auto bytes = read(end, filter.data(), filter.size());
  close(end);
  EXPECT_GT(bytes, 100 * 8);  // an instruction has 8 bytes
  EXPECT_EQ(bytes % 8, 0);
}

INSTANTIATE_TEST_SUITE_P(Isolation, InSandbox, testing::Values(Isolation::landlock, Isolation::bubblewrap),
                         [](const auto& isolation) {
                           return isolation.param == Isolation::landlock ? "landlock" : "bubblewrap";
                         });

TEST(Activity, AWaitForAChildOfVforkIsNone) {
  const pid_t process = fork();
  if (process == 0) {
    setpgid(0, 0);
    if (vfork() == 0) {
      while (true) pause();
    }
    _exit(0);
  }
  usleep(200'000);
  EXPECT_FALSE(activity_of({process}).computes);
  kill(-process, SIGKILL);
  waitpid(process, nullptr, 0);
}

}  // namespace
}  // namespace d2l::grading

// The sandbox starts this program again as its supervisor.
int main(int count, char** words) {
  if (count == 3 && std::string(words[1]) == "supervise") return d2l::grading::supervise_and_print(words[2]);
  testing::InitGoogleTest(&count, words);
  return RUN_ALL_TESTS();
}
