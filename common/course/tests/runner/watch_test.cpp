// SPDX-License-Identifier: MIT
// ./learn watch on a terminal: saves, keys, and the mode of the terminal afterwards.
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <termios.h>

#include <array>
#include <chrono>
#include <csignal>

#include "mini_course.h"

namespace d2l::runner {
namespace {

/// A terminal with ./learn watch in it.
class Watching {
 public:
  explicit Watching(const std::vector<const char*>& arguments) {
    std::vector<const char*> words{LEARN_RUNNER, "watch"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    words.push_back(nullptr);
    process_ = ::forkpty(&terminal_, nullptr, nullptr, nullptr);
    if (process_ == 0) {
      const rlimit no_core{0, 0};
      ::setrlimit(RLIMIT_CORE, &no_core);
      ::execv(LEARN_RUNNER, const_cast<char**>(words.data()));
      ::_exit(127);
    }
  }
  ~Watching() {
    if (process_ > 0) {
      ::kill(process_, SIGKILL);
      ::waitpid(process_, nullptr, 0);
    }
    ::close(terminal_);
  }
  Watching(const Watching&) = delete;
  Watching& operator=(const Watching&) = delete;

  /// Waits for a text in the output, and removes the output up to it.
  [[nodiscard]] bool says(const std::string& words) {
    const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (said_.find(words) == std::string::npos) {
      if (std::chrono::steady_clock::now() > patience || !read()) {
        ADD_FAILURE() << "no \"" << words << "\" in:\n" << said_;
        return false;
      }
    }
    said_.erase(0, said_.find(words) + words.size());
    return true;
  }
  void press(char key) const { EXPECT_EQ(::write(terminal_, &key, 1), 1); }
  void send(int signal) const { EXPECT_EQ(::kill(process_, signal), 0); }
  /// True while the terminal passes keys without Enter.
  [[nodiscard]] bool raw() const {
    termios mode{};
    ::tcgetattr(terminal_, &mode);
    return (mode.c_lflag & (ICANON | ECHO)) == 0;
  }
  /// Waits until the program ends; the status of waitpid.
  int end() {
    while (read()) {
    }
    int status = -1;
    ::waitpid(process_, &status, 0);
    process_ = 0;
    return status;
  }

 private:
  /// False at the end of the output.
  bool read() {
    pollfd ready{terminal_, POLLIN, 0};
    if (::poll(&ready, 1, 100) == 0) return true;
    std::array<char, 4096> bytes{};
    const ssize_t count = ::read(terminal_, bytes.data(), bytes.size());
    if (count > 0) said_.append(bytes.data(), static_cast<std::size_t>(count));
    return count > 0;
  }

  int terminal_ = -1;
  pid_t process_ = 0;
  std::string said_;
};

class Watch : public InMiniCourse {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists("/dev/pts/ptmx")) GTEST_SKIP() << "no pseudo-terminals here";
    InMiniCourse::SetUp();
  }

  static constexpr const char* keys = "q quit";
  static constexpr const char* endless = "int answer() { for (volatile int i = 0;; i = 1 - i) {} }\n";
};

TEST_F(Watch, ChecksAtEachSaveAndHandlesItsKeys) {
  Watching watch({"1.1"});
  EXPECT_TRUE(watch.says("\033[H\033[2J") && watch.says("verdict fail") && watch.says(keys));
  EXPECT_TRUE(watch.raw());
  watch.press('h');
  EXPECT_TRUE(watch.says("hint 1 of 2") && watch.says("One more: press h") && watch.says(keys));
  watch.press('h');
  EXPECT_TRUE(watch.says("hint 2 of 2") && watch.says(keys));
  course_->answer("int answer() { return nosuch; }\n");
  EXPECT_TRUE(watch.says("does not compile yet") && watch.says("nosuch") && watch.says(keys));
  course_->answer("int answer() { return 42; }\n");
  EXPECT_TRUE(watch.says("verdict pass") && watch.says("n goes to") && watch.says(keys));
  watch.press('l');
  EXPECT_TRUE(watch.says("1 of 2 exercises passed") && watch.says(keys));
  watch.press('c');
  EXPECT_TRUE(watch.says("verdict pass") && watch.says(keys));
  watch.press('n');
  EXPECT_TRUE(watch.says("Title of 3_third") && watch.says("Answer.") && watch.says("verdict fail") &&
              watch.says(keys));
  watch.press('n');
  EXPECT_TRUE(watch.says("the only one that is left"));
  course_->answer("int answer() { return 42; }\n", "3_third");
  EXPECT_TRUE(watch.says("verdict pass") && watch.says(keys));
  watch.press('n');
  EXPECT_TRUE(watch.says("All 2 exercises are passed"));
  watch.press('q');
  EXPECT_EQ(watch.end(), 0);
  EXPECT_FALSE(watch.raw());
}

TEST_F(Watch, StartsOverWhenASourceIsSavedDuringACheck) {
  course_->answer(endless);
  Watching watch({"1.1"});
  EXPECT_TRUE(watch.says("check begins"));
  course_->answer("int answer() { return 42; }\n");
  EXPECT_TRUE(watch.says("verdict pass") && watch.says(keys));
}

TEST_F(Watch, QuitsDuringACheckThatShowsItsProgress) {
  course_->answer(endless);
  Watching watch({"1.1"});
  EXPECT_TRUE(watch.says("check begins") && watch.says("Checking 1.1  3 s"));
  watch.press('h');
  watch.press('q');
  EXPECT_EQ(watch.end(), 0);
  EXPECT_FALSE(watch.raw());
}

TEST_F(Watch, StopsChecksAtTheTimeLimit) {
  course_->answer(endless);
  Watching watch({"1.1", "--limit", "1"});
  EXPECT_TRUE(watch.says("check begins") && watch.says("did not end within 1 s") && watch.says(keys));
}

TEST_F(Watch, WaitsForAFileThatAnEditorRemoved) {
  Watching watch({"1.1"});
  EXPECT_TRUE(watch.says(keys));
  const auto source = course_->root().path() / "exercises/1_gpus/section_1_first/exercise.cpp";
  std::filesystem::rename(source, source.string() + "~");
  EXPECT_TRUE(watch.says("exercise.cpp is gone"));
  EXPECT_TRUE(watch.raw());
  course_->answer("int answer() { return 42; }\n");
  EXPECT_TRUE(watch.says("verdict pass") && watch.says(keys));
  watch.press('q');
  EXPECT_EQ(watch.end(), 0);
}

TEST_F(Watch, RestoresTheTerminalOnEveryExit) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGABRT, SIGSEGV}) {
    for (const bool during_a_check : {false, true}) {
      course_->answer(during_a_check ? endless : "int answer() { return 0; }\n");
      Watching watch({"1.1"});
      EXPECT_TRUE(watch.says(during_a_check ? "check begins" : keys));
      EXPECT_TRUE(watch.raw());
      if (signal == SIGINT) {
        watch.press('\3');
      } else {
        watch.send(signal);
      }
      const int status = watch.end();
      EXPECT_TRUE(WIFSIGNALED(status)) << signal << ": " << status;
      EXPECT_EQ(WTERMSIG(status), signal);
      EXPECT_FALSE(watch.raw()) << signal;
    }
  }
}

}  // namespace
}  // namespace d2l::runner
