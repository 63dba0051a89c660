// SPDX-License-Identifier: MIT
// The exercises that a name selects, their statements and hints.
#include "course/exercises.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "course/hints.h"
#include "course/progress.h"
#include "refusal.h"

namespace d2l::runner {
namespace {

class Exercises : public testing::Test {
 protected:
  void SetUp() override {
    std::string described;
    const std::pair<const char*, const char*> all[] = {{"1.1", "section_1_try_all_gpus"},
                                                       {"1.2.1", "section_2_1_storage"},
                                                       {"1.2.2", "section_2_2_copying"},
                                                       {"1.3.1", "section_3_1_trainer"},
                                                       {"1.5.1", "1_compute_and_copy"},
                                                       {"1.5.3", "3_frobenius_log"},
                                                       {"1.5.10", "10_later"}};
    for (const auto& [number, name] : all) {
      described += fmt::format(R"({}{{"number": "{}", "title": "Title of {}", "folder": "{}"}})",
                               described.empty() ? "" : ", ", number, name, name);
      add(name, "// SPDX-License-Identifier: MIT\n// # Title\n//\n// What is asked.\n");
    }
    root_.write("chapters/1_gpus/chapter.json",
                fmt::format(R"({{"number": "1", "title": "GPUs", "sections": [], "exercises": [{}]}})", described));
  }
  void add(const std::string& name, const std::string& header) const {
    root_.write("exercises/1_gpus/" + name + "/exercise.h", header);
  }
  using Names = std::vector<std::string>;
  [[nodiscard]] Names names(const std::string& wanted) const {
    Names found;
    for (const Exercise& exercise : select(find_exercises(root_.path()), wanted)) found.push_back(exercise.name);
    return found;
  }
  [[nodiscard]] std::string complaint(const std::string& wanted) const {
    const auto exercises = find_exercises(root_.path());
    return refusal([&] { return select_one(exercises, wanted); });
  }

  const TemporaryFolder root_;
};

TEST_F(Exercises, AreInTheOrderOfTheCourse) {
  Names numbers;
  for (const Exercise& exercise : find_exercises(root_.path())) numbers.push_back(exercise.number);
  EXPECT_EQ(numbers, (Names{"1.1", "1.2.1", "1.2.2", "1.3.1", "1.5.1", "1.5.3", "1.5.10"}));
  const Exercise first = find_exercises(root_.path()).front();
  EXPECT_EQ(first.title, "Title of section_1_try_all_gpus");
  EXPECT_EQ(first.target(), "exercise_1_gpus_section_1_try_all_gpus");
  EXPECT_EQ(first.solution_target(), "solution_1_gpus_section_1_try_all_gpus");
  EXPECT_EQ(first.shown_source(), "exercises/1_gpus/section_1_try_all_gpus/exercise.cpp");
}

TEST_F(Exercises, AreFoundByNumberFolderPartAndPath) {
  for (const char* name : {"1.5.3", "3_frobenius_log", "frobenius", "1_gpus/3_frobenius_log",
                           "exercises/1_gpus/3_frobenius_log/exercise.cpp", "/x/exercises/1_gpus/3_frobenius_log/"}) {
    EXPECT_EQ(names(name), Names{"3_frobenius_log"}) << name;
  }
  EXPECT_EQ(names("1.5.1"), Names{"1_compute_and_copy"});
  EXPECT_EQ(names("copying"), Names{"section_2_2_copying"});
  EXPECT_EQ(names("1.2"), (Names{"section_2_1_storage", "section_2_2_copying"}));
  EXPECT_EQ(names("1.5"), (Names{"1_compute_and_copy", "3_frobenius_log", "10_later"}));
  for (const char* all : {"", "1", "1_gpus"}) EXPECT_EQ(names(all).size(), 7U) << all;
}

TEST_F(Exercises, AreListedWhenTheNameMatchesNone) {
  for (const char* name : {"nosuch", "1.9", "2", "..", "/", "1.5.3.", "-1", "f", " "}) {
    EXPECT_TRUE(contains(complaint(name), "1.5.3   Title of 3_frobenius_log  (3_frobenius_log)")) << name;
  }
  const std::string several = complaint("copy");
  EXPECT_TRUE(contains(several, "say which"));
  EXPECT_TRUE(contains(several, "1_compute_and_copy"));
  EXPECT_FALSE(contains(several, "frobenius"));
}

TEST_F(Exercises, GoOnAfterTheOneCheckedLast) {
  const auto exercises = find_exercises(root_.path());
  const auto current = [&](const Records& records) { return current_exercise(exercises, records).number; };
  Records records;
  EXPECT_EQ(current(records), "1.1");
  records.last = exercises[3].key();
  records.exercises[records.last].verdict = "fail";
  EXPECT_EQ(current(records), "1.3.1");
  records.exercises[records.last].verdict = "pass";
  EXPECT_EQ(current(records), "1.5.1");
  for (const Exercise& later : {exercises[4], exercises[5], exercises[6]}) {
    records.exercises[later.key()].verdict = "not_verifiable";
  }
  EXPECT_EQ(current(records), "1.1");
}

TEST_F(Exercises, StopWhenThereAreNone) {
  EXPECT_THROW(find_exercises(root_.path() / "nowhere"), Stop);
  EXPECT_THROW(select(std::vector<Exercise>(), ""), Stop);
}

TEST_F(Exercises, HaveAStatementWithoutCommentMarks) {
  add("1_compute_and_copy", "// # T\n//\n// Line.\n//\n// - `a` is *b*\n#pragma once\n// not this\n");
  EXPECT_EQ(statement(select_one(find_exercises(root_.path()), "1.5.1")), "Line.\n\n- `a` is *b*\n");
}

TEST_F(Exercises, HaveHintsInSections) {
  root_.write("hint.md", "# Hints\nno hint\n\n## 1. One by one\n\ntext\n\n```\n## 9. code\n```\n\n## 2. Last\nend\n");
  const auto hints = read_hints(root_.path() / "hint.md");
  ASSERT_EQ(hints.size(), 2U);
  EXPECT_EQ(hints[0].title, "One by one");
  EXPECT_EQ(hints[0].text, "text\n\n```\n## 9. code\n```\n");
  EXPECT_EQ(hints[1].text, "end\n");
  root_.write("hint.md", "# Hints\n");
  EXPECT_THROW(read_hints(root_.path() / "hint.md"), Stop);
}

}  // namespace
}  // namespace d2l::runner
