// SPDX-License-Identifier: MIT
// The student's records, also with malformed files and several writers.
#include "course/records.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "course/progress.h"
#include "refusal.h"

namespace d2l::runner {
namespace {

namespace fs = std::filesystem;
const std::string file = ".learn/progress.json";

TEST(ProgressFile, KeepsWhatWasChanged) {
  const TemporaryFolder root;
  EXPECT_TRUE(read_records(root.path()).exercises.empty());
  EXPECT_FALSE(fs::exists(root.path() / ".learn"));  // looking makes nothing
  change_records(root.path(), [](Records& records) {
    records.last = "1_gpus/a";
    records.exercises["1_gpus/a"] = {"pass", true, 5, 5, 3, 2};
  });
  const Records read = read_records(root.path());
  EXPECT_EQ(read.last, "1_gpus/a");
  const Record record = read.of("1_gpus/a");
  EXPECT_EQ(record.verdict, "pass");
  EXPECT_TRUE(record.passed && record.done());
  EXPECT_EQ(record.points + record.possible * 10 + record.checks * 100 + record.hints * 1000, 2355);
  EXPECT_EQ(read.of("1_gpus/b").checks, 0);
}

TEST(ProgressFile, IsRenamedWhenItIsMalformed) {
  const char* const broken[] = {"",
                                "{",
                                "[]",
                                "nonsense",
                                "{\"format\": 2, \"last\": \"\", \"exercises\": {}}",
                                "{\"format\": 1, \"last\": 3, \"exercises\": {}}",
                                R"({"format": 1, "last": "", "exercises": {"a": {"verdict": "pass"}}})",
                                R"({"format": 1, "last": "", "exercises": {"a": {"verdict": "pass", "passed": true,
                                "points": 1e300, "possible": -5, "checks": 1, "hints": 0}}})"};
  int kept = 0;
  const TemporaryFolder root;
  for (const char* text : broken) {
    root.write(file, text);
    testing::internal::CaptureStderr();
    EXPECT_TRUE(read_records(root.path()).exercises.empty()) << text;
    EXPECT_TRUE(contains(testing::internal::GetCapturedStderr(), "begins anew")) << text;
    EXPECT_EQ(root.read(".learn/progress.malformed-" + std::to_string(++kept) + ".json"), text);
    change_records(root.path(), [](Records& records) { records.last = "x"; });
    EXPECT_EQ(read_records(root.path()).last, "x");
  }
}

TEST(ProgressFile, LosesNothingWhenManyProcessesWrite) {
  const TemporaryFolder root;
  constexpr int processes = 4;
  constexpr int changes = 25;
  for (int i = 0; i < processes; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      for (int n = 0; n < changes; ++n) {
        change_records(root.path(), [](Records& records) { ++records.exercises["shared"].checks; });
        static_cast<void>(read_records(root.path()));
      }
      _exit(0);
    }
  }
  int status = 0;
  while (wait(&status) > 0) EXPECT_EQ(status, 0);
  EXPECT_EQ(read_records(root.path()).of("shared").checks, processes * changes);
  EXPECT_FALSE(fs::exists(root.path() / ".learn" / "progress.malformed-1.json"));
}

TEST(ProgressFile, IsNotNeededWhenNothingCanBeWritten) {
  const TemporaryFolder root;
  root.write(".learn", "a file where the folder should be");
  testing::internal::CaptureStderr();
  EXPECT_EQ(change_records(root.path(), [](Records& records) { records.last = "x"; }).last, "x");
  EXPECT_TRUE(contains(testing::internal::GetCapturedStderr(), "progress cannot be kept"));
}

class Progressing : public testing::Test {
 protected:
  [[nodiscard]] std::string next(const Exercise* current = nullptr) const {
    const Exercise* found = next_exercise(exercises_, records_, current);
    return found == nullptr ? "none" : found->name;
  }
  const std::vector<Exercise> exercises_{
      {"1_gpus", "a", "1.1", "A", ""}, {"1_gpus", "b", "1.2", "B", ""}, {"1_gpus", "c", "1.3", "C", ""}};
  Records records_;
};

TEST_F(Progressing, FindsTheNextExercise) {
  EXPECT_EQ(next(), "a");
  EXPECT_EQ(next(&exercises_[0]), "b");
  records_.exercises["1_gpus/a"].verdict = "fail";
  EXPECT_EQ(next(), "a");
  records_.exercises["1_gpus/a"].verdict = "pass";
  records_.exercises["1_gpus/b"].verdict = "not_verifiable";
  EXPECT_EQ(next(), "c");
  EXPECT_EQ(next(&exercises_[2]), "c");
  records_.exercises["1_gpus/c"].verdict = "pass";
  EXPECT_EQ(next(), "none");
}

TEST_F(Progressing, StaysAtTheExerciseCheckedLast) {
  EXPECT_EQ(current_exercise(exercises_, records_).name, "a");
  records_.last = "1_gpus/c";
  EXPECT_EQ(current_exercise(exercises_, records_).name, "c");
  records_.exercises["1_gpus/c"].verdict = "pass";
  EXPECT_EQ(current_exercise(exercises_, records_).name, "a");
  for (const char* key : {"1_gpus/a", "1_gpus/b"}) records_.exercises[key].verdict = "pass";
  EXPECT_EQ(current_exercise(exercises_, records_).name, "a");
}

TEST_F(Progressing, CountsASolvedExerciseAlsoAfterAFailedCheck) {
  for (const char* key : {"1_gpus/a", "1_gpus/b"}) records_.exercises[key] = {"pass", true, 5, 5, 1, 0};
  records_.exercises["1_gpus/a"].verdict = "fail";
  records_.exercises["1_gpus/a"].points = 2;
  EXPECT_EQ(count_verdicts(exercises_, records_, "pass"), 2);
  EXPECT_EQ(next(), "c");
  EXPECT_TRUE(contains(sign(records_.of("1_gpus/a")), "✓"));
  testing::internal::CaptureStdout();
  print_exercises(exercises_, records_);
  const std::string table = testing::internal::GetCapturedStdout();
  EXPECT_TRUE(contains(table, "2/5 now")) << table;
  EXPECT_TRUE(contains(table, "2 of 3 exercises passed")) << table;
  // It is still the one to work on, as for ./learn hint.
  records_.last = "1_gpus/a";
  EXPECT_EQ(current_exercise(exercises_, records_).name, "a");
}

TEST_F(Progressing, MarksEachExercise) {
  const auto mark = [](const char* verdict) { return sign({verdict, false, 0, 0, 0, 0}); };
  EXPECT_EQ(mark(""), "·");
  EXPECT_TRUE(contains(mark("pass"), "✓"));
  EXPECT_TRUE(contains(mark("fail"), "✗"));
  EXPECT_TRUE(contains(mark("not_verifiable"), "?"));
}

}  // namespace
}  // namespace d2l::runner
