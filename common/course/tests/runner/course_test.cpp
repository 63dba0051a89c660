// SPDX-License-Identifier: MIT
// The description of a course, and the lessons that a name selects.
#include <gtest/gtest.h>

#include "course/lessons.h"
#include "refusal.h"

namespace d2l::runner {
namespace {

namespace fs = std::filesystem;

class Course : public testing::Test {
 protected:
  void SetUp() override {
    describe("1_gpus", R"({"number": "1", "title": "GPUs", "book": {"Chinese": "5.6", "English": "6.7"}, "sections": [
      {"number": "1.0", "title": "Graphics cards", "file": "0_graphics_cards.cpp", "book": ["5.6", "6.7"]},
      {"number": "1.2", "title": "Tensors and GPUs", "file": "2_tensors_and_gpus.cpp", "book": ["5.6.2", "6.7.2"]},
      {"number": "1.2.2", "title": "Copying", "file": "2_2_copying.cpp", "book": ["5.6.2.2", "6.7.2.2"]},
      {"number": "1.10", "title": "Later", "file": "10_later.cpp", "part_of": ["", "6.7.2"], "draft": true},
      {"number": "1.11", "title": "Exercises"}]})");
    describe("2_under_the_hood", R"({"number": "2", "title": "Under the hood", "sections": [
      {"number": "2.1", "title": "Kernels", "file": "1_kernels.cu"}]})");
  }
  void describe(const std::string& chapter, const std::string& json) const {
    folder_.write("chapters/" + chapter + "/chapter.json", json);
  }

  [[nodiscard]] std::vector<std::string> names(const std::string& wanted) const {
    std::vector<std::string> found;
    for (const Lesson& lesson : select(read_course(root_), wanted)) found.push_back(lesson.name);
    return found;
  }

  using Names = std::vector<std::string>;
  const TemporaryFolder folder_;
  const fs::path root_ = folder_.path();
  const Names first_chapter_{"0_graphics_cards", "2_tensors_and_gpus", "2_2_copying", "10_later"};
};

TEST_F(Course, IsReadInItsOrder) {
  const auto lessons = select(read_course(root_), "");
  ASSERT_EQ(lessons.size(), 5U);
  EXPECT_EQ(lessons[2].number, "1.2.2");
  EXPECT_EQ(lessons[2].title, "Copying");
  EXPECT_EQ(lessons[2].target(), "lesson_1_gpus_2_2_copying");
  EXPECT_FALSE(lessons[2].draft);
  EXPECT_TRUE(lessons[3].draft);
  EXPECT_EQ(lessons[4].number, "2.1");
  EXPECT_EQ(lessons[4].source, root_ / "chapters/2_under_the_hood/1_kernels.cu");
}

TEST_F(Course, HasTheNumbersOfTheBook) {
  const auto lessons = select(read_course(root_), "");
  EXPECT_EQ(book_numbers(lessons[2]), "5.6.2.2, 6.7.2.2");
  EXPECT_EQ(book_numbers(lessons[3]), "in 6.7.2");
  EXPECT_EQ(book_numbers(lessons[4]), "");
  const auto course = read_course(root_);
  EXPECT_EQ(course[0].book[1], (std::pair<std::string, std::string>("English", "6.7")));
  EXPECT_EQ(course[0].sections.back().title, "Exercises");
}

TEST_F(Course, IsAllOfItWithoutAName) { EXPECT_EQ(names("").size(), 5U); }

TEST_F(Course, FindsALessonByOurNumberItsFileAndTheBooksNumber) {
  for (const char* name : {"1.2.2", "2_2_copying", "copying", "5.6.2.2", "6.7.2.2", "2_2_copying.cpp",
                           "chapters/1_gpus/2_2_copying.cpp", "/somewhere/chapters/1_gpus/2_2_copying.cpp"}) {
    EXPECT_EQ(names(name), Names{"2_2_copying"}) << name;
  }
  EXPECT_EQ(names("5.6.2"), Names{"2_tensors_and_gpus"});
  EXPECT_EQ(names("6.7.2"), Names{"2_tensors_and_gpus"});
}

TEST_F(Course, FindsAChapter) {
  for (const char* name : {"1", "1_gpus", "5.6", "6.7", "chapters/1_gpus", "chapters/1_gpus/"}) {
    EXPECT_EQ(names(name), first_chapter_) << name;
  }
  EXPECT_EQ(names("2"), Names{"1_kernels"});
}

TEST_F(Course, IsListedWhenTheNameMatchesNothing) {
  for (const char* name : {"nosuch", "1.9", "5.7.2", "..", "/", "2_2_copyin", " ", "1.2.2.", "-1"}) {
    EXPECT_TRUE(contains(refusal([&] { return names(name); }), "1.2.2   Copying  (2_2_copying)")) << name;
  }
}

TEST_F(Course, SuggestsTheNearestName) {
  EXPECT_TRUE(contains(refusal([&] { return names("2_2_copyin"); }), "Did you mean 2_2_copying?"));
  EXPECT_TRUE(contains(refusal([&] { return names("coping"); }), "Did you mean copying?"));
  EXPECT_FALSE(contains(refusal([&] { return names("something else"); }), "Did you mean"));
}

TEST_F(Course, HasANextLesson) {
  const auto lessons = select(read_course(root_), "");
  EXPECT_EQ(after(lessons, lessons[1])->name, "2_2_copying");
  EXPECT_EQ(after(lessons, lessons.back()), nullptr);
}

TEST_F(Course, RefusesAMalformedDescription) {
  const std::string begin = R"({"number": "1", "title": "GPUs", "book": {"Chinese": "5.6"}, "sections": [)";
  for (const std::string& json :
       {std::string("{\"number\": 1"), std::string(R"({"number": 1, "title": "GPUs"})"),
        begin + R"({"number": "2.1", "title": "Of another chapter"}]})", begin + R"({"number": "1.x", "title": "T"}]})",
        begin + R"({"number": "1.1"}]})", begin + R"({"number": "1.1", "title": "T", "book": ["5.6", "6.7"]}]})"}) {
    describe("1_gpus", json);
    EXPECT_THROW(read_course(root_), Stop) << json;
  }
}

TEST_F(Course, RefusesARootWithoutChapters) { EXPECT_THROW(read_course(root_ / "nowhere"), Stop); }

}  // namespace
}  // namespace d2l::runner
