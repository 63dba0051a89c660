// SPDX-License-Identifier: MIT
// Copies of this tree: the one for students, and those with a new lesson and a new exercise.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/root.h"
#include "base/run_limited.h"
#include "base/text.h"
#include "commands/release.h"
#include "course/course.h"
#include "refusal.h"

namespace d2l::runner {
namespace {

namespace fs = std::filesystem;

class Copy : public testing::Test {
 protected:
  void SetUp() override { ::setenv("NO_COLOR", "1", 1); }
  void TearDown() override { ::unsetenv("LEARN_ROOT"); }

  void copy_all() const {
    for (const std::string& file : course_files(root())) {
      const fs::path copy = tree_.path() / file;
      fs::create_directories(copy.parent_path());
      fs::copy(root() / file, copy, fs::copy_options::copy_symlinks);
    }
    ::setenv("LEARN_ROOT", tree_.path().c_str(), 1);
  }
  /// Removes the chapters, exercises and solutions of the copy.
  void remove_course() const {
    for (const char* const folder : {"chapters", "exercises", "solutions"}) {
      for (const auto& entry : std::vector<fs::directory_entry>(fs::directory_iterator(tree_.path() / folder), {})) {
        if (entry.is_directory()) fs::remove_all(entry.path());
      }
    }
  }
  /// Runs a program in the copy and expects its exit code; what it printed.
  [[nodiscard]] std::string run(const Command& command, int code = 0) const {
    std::string text;
    EXPECT_EQ(run_reading(command, tree_.path(), [&](const std::string& line) { text += line + "\n"; }), code) << text;
    return text;
  }
  /// `cuda`: ON to compile with nvcc too, and without a warning.
  [[nodiscard]] std::string configure(const std::string& build, int code = 0, const std::string& cuda = "OFF") const {
    return run({"cmake",
                "-S",
                ".",
                "-B",
                build,
                "-G",
                GENERATOR,
                "-DCMAKE_CXX_COMPILER=" COMPILER,
                "-DD2L_SANITIZER=" SANITIZER,
                "-DCOMMON=" COMMON,
                "-DCHECK=" CHECK,
                "-Dd2l_capture=" CAPTURE,
                "-Dprove_check=" PROVE,
                "-Dwrite_mistakes=" MISTAKES,
                "-DEMULATOR=" EMULATOR,
                "-DMADE_HEADERS=" MADE_HEADERS,
                "-Dd2l_cuda_translator=" TRANSLATOR,
                "-Dlearn_grade=" GRADE,
                "-DD2L_CUDA=" + cuda,
                "-DD2L_WERROR=" + cuda,
                "-DCMAKE_CUDA_COMPILER=" NVCC},
               code);
  }
  /// Makes the course of the copy a tree of its own, which links this build's library.
  void take_library() const {
    fs::copy(tree_.path() / "common/course/tests/runner/new_course/CMakeLists.txt", tree_.path() / "CMakeLists.txt",
             fs::copy_options::overwrite_existing);
  }
  [[nodiscard]] std::string build_targets(const std::vector<std::string>& targets) const {
    Command command{"cmake", "--build", "build/new", "--parallel", "2", "--target"};
    command.insert(command.end(), targets.begin(), targets.end());
    return run(command);
  }
  [[nodiscard]] std::string test() const {
    return run(
        {"ctest", "--test-dir", "build/new", "-R", "9_new_things.(1_a_first|section_1)", "-V", "--no-tests=error"});
  }
  /// Removes the mark of a draft from the line of the description that contains `entry`.
  void finish(const std::string& entry) const {
    std::string text = tree_.read(description_);
    const std::string mark = ", \"draft\": true";
    text.erase(text.find(mark, text.find(entry)), mark.size());
    tree_.write(description_, text);
  }

  const TemporaryFolder tree_;
  const std::string description_ = "chapters/9_new_things/chapter.json";
};

TEST_F(Copy, ForStudentsHasStubsAndConfigures) {
  write_release(root(), tree_.path());
  EXPECT_FALSE(fs::exists(tree_.path() / "solutions"));
  for (const auto& entry : fs::recursive_directory_iterator(tree_.path())) {
    const std::string name = entry.path().filename().string();
    EXPECT_TRUE(name != "mistakes.md" && name != "grading") << entry.path();
  }
  const auto exercises = find_exercises(tree_.path());
  ASSERT_FALSE(exercises.empty());
  for (const Exercise& exercise : exercises) {
    const std::string stub = "stub" + exercise.source().extension().string();
    EXPECT_EQ(read_file(exercise.source()), read_file(root() / "exercises" / exercise.key() / stub));
  }
  static_cast<void>(configure("build/cpu"));
  ::setenv("LEARN_ROOT", tree_.path().c_str(), 1);
  const std::string listed = run({LEARN_RUNNER, "list"});
  EXPECT_TRUE(contains(listed, fmt::format("0 of {} exercises passed", exercises.size())));
}

TEST_F(Copy, WithANewLessonAndExerciseBuildsAndPassesItsTests) {
  copy_all();
  static_cast<void>(run({LEARN_RUNNER, "new", "lesson", "9.1", "A first kernel", "--chapter", "New things"}));
  static_cast<void>(run({LEARN_RUNNER, "new", "exercise", "9.1", "Twice"}));
  static_cast<void>(run({LEARN_RUNNER, "new", "exercise", "9.5.1", "More than twice"}));
  static_cast<void>(configure("build/cpu"));                                                        // the whole tree
  EXPECT_TRUE(contains(run({LEARN_RUNNER, "list"}), "  9.1  A first kernel  1_a_first_kernel\n"));  // no book's number

  take_library();
  static_cast<void>(configure("build/new"));
  const std::string lesson = "9_new_things_1_a_first_kernel";
  const std::string exercise = "9_new_things_section_1_twice";
  static_cast<void>(build_targets(
      {"lesson_" + lesson, "stub_" + exercise, "solution_" + exercise, "wrong_" + exercise + "_adds_two"}));
  const std::string not_captured = "output of this lesson is not captured";
  EXPECT_TRUE(contains(test(), "Skipped: the " + not_captured));

  const std::string drafts = tree_.read(description_);
  finish("\"file\"");
  EXPECT_TRUE(contains(configure("build/new", 1), not_captured));
  tree_.write(description_, drafts);
  static_cast<void>(build_targets({"capture_" + lesson}));
  finish("\"file\"");
  static_cast<void>(configure("build/new"));
  EXPECT_FALSE(contains(test(), not_captured));
  finish("\"folder\"");
  EXPECT_TRUE(contains(configure("build/new", 1), "has 1 mistakes"));
}

/// A lesson and an exercise with kernels, in build/cpu, and what ./learn says of answers.
TEST_F(Copy, WithKernelsRunsAndChecksThem) {
  copy_all();
  remove_course();
  take_library();
  static_cast<void>(run({LEARN_RUNNER, "new", "lesson", "9.1", "A first kernel", "--chapter", "New things", "--cuda"}));
  static_cast<void>(run({LEARN_RUNNER, "new", "exercise", "9.1", "Twice", "--cuda"}));
  tree_.write("chapters/CMakeLists.txt", "d2l_add_lesson(9_new_things/1_a_first_kernel.cu)\n");
  static_cast<void>(configure("build/cpu"));
  ::setenv("D2L_VIRTUAL_GPUS", "2@host", 1);
  const std::string lesson = run({LEARN_RUNNER, "run", "9.1"});
  EXPECT_TRUE(lesson.starts_with("Kernels run in the CUDA emulator, on virtual GPUs.\n")) << lesson;
  EXPECT_TRUE(contains(lesson, "tensor([[2., 2., 2.],"));

  const std::string name = "9_new_things/section_1_twice";
  const auto check = [&](const std::string& code, int exit, const std::vector<std::string>& words) {
    tree_.write("exercises/" + name + "/exercise.cu", code);
    const std::string said = run({LEARN_RUNNER, "check", "9.1", "--limit", "5"}, exit);
    EXPECT_TRUE(said.starts_with("Kernels run in the CUDA emulator, on virtual GPUs.\n")) << said;
    for (const std::string& word : words) EXPECT_TRUE(contains(said, word));
  };
  const std::string solution = read_file(tree_.path() / "solutions" / (name + ".cu"));
  check(read_file(tree_.path() / "exercises" / name / "stub.cu"), 1, {"off by", "exercise.cu, then ./learn check"});
  check(solution, 0, {"Solved: 1"});
  check(replaced(solution, "i < n", "i <= n"), 1,
        {"a kernel failed: CUDA error",
         "out of bounds at exercise.cu:10: kernel twice, block (0, 0, 0), thread (12, 0, 0)", "x[12] of"});
  check(replaced(solution, "result[i] = 2 * x[i]", "{ result[i] = x[i]; if (i > 0) result[i - 1] *= 2; }"), 1,
        {"race at exercise.cu:10: kernel twice", "with thread"});
  check(replaced(solution, "result[i] =", "for (volatile int never = 0;; never = 1 - never) result[i] ="), 1,
        {"did not end within 5 s", "endless loop, in a kernel too"});
  check(replaced(solution, "2 * x[i]", "2 * y[i]"), 1, {"does not compile yet", "exercise.cu:10:", "y"});
  ::unsetenv("D2L_VIRTUAL_GPUS");
}

/// The same files in a build with the toolkit: two programs of each, the nvcc one for a card, the other for the
/// emulator.
TEST_F(Copy, ForCardsHasTwoProgramsOfEachFile) {
  if (std::string(NVCC).empty()) GTEST_SKIP() << "this build has no nvcc";
  copy_all();
  remove_course();
  take_library();
  static_cast<void>(run({LEARN_RUNNER, "new", "lesson", "9.1", "A first kernel", "--chapter", "New things", "--cuda"}));
  static_cast<void>(run({LEARN_RUNNER, "new", "exercise", "9.1", "Twice", "--cuda"}));
  tree_.write("chapters/CMakeLists.txt", "d2l_add_lesson(9_new_things/1_a_first_kernel.cu)\n");
  static_cast<void>(configure("build/new", 0, "ON"));
  const std::string lesson = "lesson_9_new_things_1_a_first_kernel";
  const std::string exercise = "9_new_things_section_1_twice";
  std::vector<std::string> targets{lesson, "stub_" + exercise, "solution_" + exercise,
                                   "wrong_" + exercise + "_adds_two"};
  for (std::size_t i = 0; i < 4; ++i) targets.push_back(targets[i] + "_emulated");
  static_cast<void>(build_targets(targets));

  const std::string tests = test();
  EXPECT_TRUE(contains(tests, "100% tests passed"));
  EXPECT_TRUE(contains(tests, "solution.9_new_things.section_1_twice.gpu"));
  ::setenv("D2L_VIRTUAL_GPUS", "1@host", 1);
  EXPECT_TRUE(contains(run({"build/new/chapters/" + lesson}, 2),
                       "cuda:0 is a virtual GPU in host memory, which has no stream for kernels that are compiled by "
                       "nvcc. Compile the program with the emulator"));
  EXPECT_TRUE(contains(run({"build/new/chapters/" + lesson + "_emulated"}), "tensor([[2., 2., 2.],"));
  ::unsetenv("D2L_VIRTUAL_GPUS");
}

/// Submissions of an exercise with a kernel, graded in the sandbox with the emulator.
TEST_F(Copy, OfKernelsIsGraded) {
  if (!fs::exists(GRADE)) GTEST_SKIP() << "this tree cannot grade";
  copy_all();
  remove_course();
  take_library();
  static_cast<void>(run({LEARN_RUNNER, "new", "lesson", "9.1", "A first kernel", "--chapter", "New things", "--cuda"}));
  static_cast<void>(run({LEARN_RUNNER, "new", "exercise", "9.1", "Twice", "--cuda"}));
  tree_.write("chapters/CMakeLists.txt", "");
  static_cast<void>(configure("build/cpu"));
  static_cast<void>(run({"cmake", "--build", "build/cpu", "--target", "grading_kit"}));

  const std::string name = "9_new_things/section_1_twice";
  const std::string solution = read_file(tree_.path() / "solutions" / (name + ".cu"));
  const auto hand_in = [&](const std::string& student, const std::string& code) {
    tree_.write("submissions/" + student + "/" + name + "/exercise.cu", code);
  };
  hand_in("right", solution);
  hand_in("race", replaced(solution, "result[i] = 2 * x[i]", "{ result[i] = x[i]; if (i > 0) result[i - 1] *= 2; }"));
  hand_in("beyond", replaced(solution, "i < n", "i <= n"));
  hand_in("broken", replaced(solution, "2 * x[i]", "2 * y[i]"));
  hand_in("stub", read_file(tree_.path() / "exercises" / name / "stub.cu"));
  const std::string report = (tree_.path() / "report.json").string();
  const Command command{GRADE,
                        "--course",
                        tree_.path().string(),
                        "--build",
                        (tree_.path() / "build/cpu").string(),
                        "--report",
                        report,
                        (tree_.path() / "submissions").string()};
  std::string said;
  run_reading(command, tree_.path(), [&](const std::string& line) { said += line + "\n"; });
  if (contains(said, "sandbox") && !fs::exists(report)) GTEST_SKIP() << said;
  const auto graded = nlohmann::json::parse(read_file(report));
  const auto result = [&](const std::string& student) {
    for (const auto& one : graded.at("students")) {
      if (one.at("student") == student) return one.dump();
    }
    return std::string();
  };
  EXPECT_TRUE(contains(result("right"), "\"pass\""));
  EXPECT_FALSE(contains(result("right"), "\"fail\"")) << result("right");
  EXPECT_TRUE(contains(result("race"), "race at exercise.cu:10"));
  EXPECT_TRUE(contains(result("beyond"), "out of bounds at exercise.cu:10"));
  EXPECT_TRUE(contains(result("broken"), "exercise.cu:10"));
  EXPECT_TRUE(contains(result("stub"), "exercise.cu is the stub"));
}

}  // namespace
}  // namespace d2l::runner
