// SPDX-License-Identifier: MIT
// The files that ./learn new makes, in a small tree. copy_test builds them in a copy of this one.
#include <gtest/gtest.h>

#include "base/files.h"
#include "base/root.h"
#include "course/course.h"
#include "course/new_files.h"
#include "refusal.h"

namespace d2l::runner {
namespace {

namespace fs = std::filesystem;

class New : public testing::Test {
 protected:
  void SetUp() override {
    const fs::path templates = "common/course/runner/commands/templates";
    fs::create_directories(root_.path() / templates);
    fs::copy(root() / templates, root_.path() / templates);
    root_.write("chapters/1_gpus/chapter.json", R"({
  "number": "1",
  "title": "GPUs",
  "book": {"Chinese": "5.6"},
  "sections": [
    {"number": "1.1", "title": "First", "file": "1_first.cpp", "book": ["5.6.1"]},
    {"number": "1.3", "title": "Third", "file": "3_third.cpp"},
    {"number": "1.5", "title": "Exercises"}
  ],
  "exercises": [
    {"number": "1.1", "title": "Small", "folder": "section_1_small"}
  ]
}
)");
  }
  void lesson(const std::string& number, const std::string& title, const std::string& chapter = "") const {
    write_all(root_.path(), new_lesson_files(root_.path(), {number, title, chapter}));
  }
  void exercise(const std::string& number, const std::string& title) const {
    write_all(root_.path(), new_exercise_files(root_.path(), {number, title, ""}));
  }
  [[nodiscard]] std::string refused_lesson(const std::string& number, const std::string& title) const {
    return refusal([&] { lesson(number, title); });
  }
  [[nodiscard]] std::string refused_exercise(const std::string& number, const std::string& title) const {
    return refusal([&] { exercise(number, title); });
  }
  [[nodiscard]] std::string sections() const {
    std::string text;
    for (const Chapter& chapter : read_course(root_.path())) {
      for (const Lesson& section : chapter.sections) text += section.number + (section.draft ? "* " : " ");
    }
    return text;
  }
  [[nodiscard]] bool exists(const std::string& file) const { return fs::exists(root_.path() / file); }

  const TemporaryFolder root_;
};

TEST_F(New, PutsALessonWhereItsNumberBelongs) {
  lesson("1.2.1", "What a view is");
  EXPECT_EQ(sections(), "1.1 1.2.1* 1.3 1.5 ");
  const std::string source = root_.read("chapters/1_gpus/2_1_what_a_view_is.cpp");
  EXPECT_TRUE(contains(source, "// # What a view is\n"));
  EXPECT_TRUE(contains(source, "// Section 1.2.1: "));
  EXPECT_FALSE(contains(source, "@"));
  EXPECT_TRUE(contains(
      root_.read("chapters/1_gpus/chapter.json"),
      R"(    {"number": "1.2.1", "title": "What a view is", "file": "2_1_what_a_view_is.cpp", "draft": true},)"));
}

TEST_F(New, MakesAChapterThatHasATitle) {
  EXPECT_TRUE(contains(refused_lesson("2.1", "Kernels"), "--chapter"));
  lesson("2.1", "Kernels", "Under the hood");
  EXPECT_TRUE(exists("chapters/2_under_the_hood/1_kernels.cpp"));
  EXPECT_EQ(read_course(root_.path())[1].title, "Under the hood");
  EXPECT_EQ(sections(), "1.1 1.3 1.5 2.1* ");
}

TEST_F(New, MakesAllPartsOfAnExercise) {
  exercise("1.3", "A third one");
  const std::string folder = "exercises/1_gpus/section_3_a_third_one/";
  for (const char* part : {"exercise.h", "stub.cpp", "check.cpp", "hint.md", "mistakes.md"}) {
    EXPECT_TRUE(exists(folder + part)) << part;
    EXPECT_FALSE(contains(root_.read(folder + part), "@")) << part;
  }
  EXPECT_TRUE(exists("solutions/1_gpus/section_3_a_third_one.cpp"));
  EXPECT_TRUE(find_exercises(root_.path()).back().draft);
}

TEST_F(New, PutsOtherExercisesAtTheEndOfTheChapter) {
  exercise("1.5.2", "Large");
  EXPECT_TRUE(exists("exercises/1_gpus/2_large/check.cpp"));
  exercise("1.6.1", "Larger");
  EXPECT_EQ(sections(), "1.1 1.3 1.5 1.6 ");
}

TEST_F(New, RefusesBadNumbersAndTitlesAndWritesNothing) {
  const std::string before = root_.read("chapters/1_gpus/chapter.json");
  for (const char* number : {"", "1", "1.", "1.x", "1.01", ".1", "-1.2", "1.2 ", "1.123456"}) {
    EXPECT_TRUE(contains(refused_lesson(number, "Title"), "is not a number of a section")) << number;
    EXPECT_TRUE(contains(refused_exercise(number, "Title"), "is not a number")) << number;
  }
  for (const char* title : {"", "small", "A \"quoted\" one", "Two\nlines", "Ärger"}) {
    EXPECT_TRUE(contains(refused_lesson("1.2", title), "is not a title")) << title;
  }
  EXPECT_EQ(refused_lesson("1.1", "Again"), "Section 1.1 exists: First");
  EXPECT_EQ(refused_exercise("1.1", "Again"), "Exercise 1.1 exists: Small");
  EXPECT_TRUE(contains(refused_exercise("1.2", "Of no lesson"), "no lesson 1.2"));
  EXPECT_TRUE(contains(refused_exercise("1.1.1", "Below a lesson"), "no lesson 1.1.1"));
  EXPECT_TRUE(contains(refused_exercise("2.1", "Of no chapter"), "Chapter 2 does not exist"));
  root_.write("chapters/1_gpus/2_here_already.cpp", "");
  EXPECT_TRUE(contains(refused_lesson("1.2", "Here already"), "exists"));
  EXPECT_EQ(root_.read("chapters/1_gpus/chapter.json"), before);
  EXPECT_FALSE(exists("solutions"));
}

TEST_F(New, KeepsTheLayoutOfADescription) {
  for (const Chapter& chapter : read_course(root())) {
    const std::string text = read_file(root() / "chapters" / chapter.folder / "chapter.json");
    EXPECT_EQ(formatted_description(text), text);
  }
}

}  // namespace
}  // namespace d2l::runner
