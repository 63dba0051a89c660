// SPDX-License-Identifier: MIT
// A course of two exercises that compile in a moment, and ./learn in it.
#pragma once

#include <cstdlib>
#include <memory>

#include "base/run_limited.h"
#include "refusal.h"

namespace d2l::runner {

/// Exercise 1.1 and 1.5.3 ask for `int answer()`: 42 passes, 77 cannot be verified, other numbers fail.
class MiniCourse {
 public:
  MiniCourse() {
    root_.write("CMakePresets.json", R"({"version": 3, "configurePresets": [
      {"name": "cpu", "binaryDir": "${sourceDir}/build/cpu"}, {"name": "cuda", "binaryDir": "${sourceDir}/build/cuda"}]})");
    root_.write("CMakeLists.txt",
                "cmake_minimum_required(VERSION 3.22)\nproject(mini CXX)\nadd_compile_options(-g1)\n"
                "set(CMAKE_CXX_COMPILER_LAUNCHER \"${CMAKE_SOURCE_DIR}/compile\")\nadd_subdirectory(exercises)\n");
    root_.write("compile", slow_compiler);
    std::filesystem::permissions(root_.path() / "compile", std::filesystem::perms::owner_all);
    root_.write("exercises/CMakeLists.txt", R"(foreach(name section_1_first 3_third)
  add_library(check_1_gpus_${name} OBJECT EXCLUDE_FROM_ALL check.cpp)
  add_executable(exercise_1_gpus_${name} EXCLUDE_FROM_ALL 1_gpus/${name}/exercise.cpp)
  target_link_libraries(exercise_1_gpus_${name} check_1_gpus_${name})
endforeach()
)");
    root_.write("exercises/check.cpp", check);
    root_.write("chapters/1_gpus/chapter.json", R"({"number": "1", "title": "GPUs", "sections": [
      {"number": "1.1", "title": "Lesson", "file": "1_lesson.cpp"}], "exercises": [
      {"number": "1.1", "title": "Title of section_1_first", "folder": "section_1_first"},
      {"number": "1.5.3", "title": "Title of 3_third", "folder": "3_third"}]})");
    for (const std::string name : {"section_1_first", "3_third"}) {
      const std::string folder = "exercises/1_gpus/" + name + "/";
      root_.write(folder + "exercise.h",
                  "// # Title of " + name + "\n//\n// Answer.\n#include <vector>\n/// The answer.\nint answer();\n");
      root_.write(folder + "stub.cpp", "int answer() { return 0; }\n");
      root_.write(folder + "exercise.cpp", "int answer() { return 0; }\n");
      root_.write(folder + "hint.md", "## 1. First\n\nThink.\n\n## 2. Second\n\nThink more.\n");
    }
    ::setenv("LEARN_ROOT", root_.path().c_str(), 1);
    ::setenv("D2L_VIRTUAL_GPUS", "2@host", 1);
    ::setenv("NO_COLOR", "1", 1);
  }

  [[nodiscard]] const TemporaryFolder& root() const { return root_; }
  /// The compiler fails with `message` until it is empty.
  void break_compiler(const std::string& message) const {
    if (message.empty()) std::filesystem::remove(root_.path() / "compile.broken");
    if (!message.empty()) root_.write("compile.broken", message);
  }
  void answer(const std::string& code, const std::string& name = "section_1_first") const {
    root_.write("exercises/1_gpus/" + name + "/exercise.cpp", code);
  }

  struct Said {
    int code = 0;
    std::string text;
  };
  /// Runs learn_runner in the course.
  [[nodiscard]] Said learn(const Command& arguments) const {
    Command command{LEARN_RUNNER};
    command.insert(command.end(), arguments.begin(), arguments.end());
    Said said;
    said.code = run_reading(command, root_.path(), [&](const std::string& line) { said.text += line + "\n"; });
    return said;
  }

 private:
  /// While the file compile.hold exists, the compiler waits before it touches its output.
  static constexpr const char* slow_compiler = R"(#!/bin/sh
[ ! -e "$0.broken" ] || { cat "$0.broken" >&2; exit 1; }
"$@" || exit
[ -e "$0.hold" ] || exit 0
: >"$0.compiled"
while [ -e "$0.hold" ]; do sleep 0.05; done
for word; do
  [ "$before" != -o ] || touch "$word"
  before=$word
done
)";
  static constexpr const char* check = R"(#include <cstdio>
#include <cstring>
int answer();
int main(int count, char** words) {
  const char* report = "/dev/null";
  const char* seed = "none";
  for (int i = 1; i + 1 < count; ++i) {
    if (!std::strcmp(words[i], "--report")) report = words[i + 1];
    if (!std::strcmp(words[i], "--seed")) seed = words[i + 1];
  }
  std::printf("check begins, seed %s\n", seed);
  std::fflush(stdout);
  const int given = answer();
  const char* verdict = given == 42 ? "pass" : given == 77 ? "not_verifiable" : "fail";
  std::FILE* out = std::fopen(report, "w");
  std::fprintf(out, "{\"verdict\": \"%s\", \"points\": %d, \"possible\": 3, \"items\": [{\"verdict\": \"%s\", "
               "\"what\": \"the answer is 42\", \"needs\": \"a better world\"}]}", verdict, given == 42 ? 3 : 0, verdict);
  std::fclose(out);
  std::printf("1.1 Title\nverdict %s\n", verdict);
  return given == 42 ? 0 : given == 77 ? 77 : 1;
}
)";
  TemporaryFolder root_;
};

/// Tests in one course, which begin with the stubs and without records.
class InMiniCourse : public testing::Test {
 protected:
  static void SetUpTestSuite() { course_ = std::make_unique<MiniCourse>(); }
  static void TearDownTestSuite() { course_.reset(); }
  void SetUp() override {
    std::filesystem::remove_all(course_->root().path() / ".learn");
    for (const char* name : {"section_1_first", "3_third"}) course_->answer("int answer() { return 0; }\n", name);
  }

  static inline std::unique_ptr<MiniCourse> course_;
};

}  // namespace d2l::runner
