// SPDX-License-Identifier: MIT
// Which lessons a user means.
#include "course/course.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "base/error.h"

namespace d2l::runner {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file) << text;
}

class Course : public testing::Test {
 protected:
  void SetUp() override {
    const fs::path chapter = root_ / "chapters" / "1_gpus";
    write(chapter / "2_2_copying.cpp", "// SPDX-License-Identifier: MIT\n// %%\n// # Copying\n");
    write(chapter / "0_graphics_cards.cpp", "// %%\n// # Graphics cards\n// # Not this\n");
    write(chapter / "2_tensors_and_gpus.cpp", "// # Tensors and GPUs\n");
    write(chapter / "10_later.cpp", "int main() {}\n");
    write(chapter / "chapter.json", R"({"title": "GPUs", "book": ["5.6", "6.7"], "within": {"10_later": "6.7.2"}})");
    write(chapter / "expected" / "0_graphics_cards.none.txt", "");
    write(root_ / "chapters" / "2_under_the_hood" / "1_kernels.cpp", "// # Kernels\n");
    write(root_ / "chapters" / "CMakeLists.txt", "");
  }
  void TearDown() override { fs::remove_all(root_); }

  [[nodiscard]] std::vector<std::string> names(const std::string& wanted) const {
    std::vector<std::string> found;
    for (const Lesson& lesson : select(find_lessons(root_), wanted)) found.push_back(lesson.name);
    return found;
  }

  using Names = std::vector<std::string>;
  const fs::path root_ = fs::temp_directory_path() / ("course test " + std::to_string(getpid()));
  const Names first_chapter_{"0_graphics_cards", "2_tensors_and_gpus", "2_2_copying", "10_later"};
};

TEST_F(Course, IsFoundByFolderInItsOrder) {
  const auto lessons = find_lessons(root_);
  ASSERT_EQ(lessons.size(), 5U);
  EXPECT_EQ(lessons[2].number, "1.2.2");
  EXPECT_EQ(lessons[2].title, "Copying");
  EXPECT_EQ(lessons[2].target(), "lesson_1_gpus_2_2_copying");
  EXPECT_EQ(lessons[2].book, (Names{"5.6.2.2", "6.7.2.2"}));
  EXPECT_EQ(lessons[0].title, "Graphics cards");
  EXPECT_EQ(lessons[2].within, "");
  EXPECT_EQ(lessons[3].title, "10_later");
  EXPECT_EQ(lessons[3].within, "6.7.2");
  EXPECT_EQ(lessons[4].number, "2.1");
  EXPECT_TRUE(lessons[4].book.empty());
}

TEST_F(Course, IsAllOfItWithoutAName) { EXPECT_EQ(names("").size(), 5U); }

TEST_F(Course, KnowsALessonByItsNumberItsNameAndTheBooks) {
  for (const char* name : {"1.2.2", "2_2_copying", "copying", "5.6.2.2", "6.7.2.2", "2_2_copying.cpp",
                           "chapters/1_gpus/2_2_copying.cpp", "/somewhere/chapters/1_gpus/2_2_copying.cpp"}) {
    EXPECT_EQ(names(name), Names{"2_2_copying"}) << name;
  }
  EXPECT_EQ(names("5.6.2"), Names{"2_tensors_and_gpus"});
  EXPECT_EQ(names("6.7.2"), Names{"2_tensors_and_gpus"});
}

TEST_F(Course, KnowsAChapter) {
  for (const char* name : {"1", "1_gpus", "5.6", "6.7", "chapters/1_gpus", "chapters/1_gpus/"}) {
    EXPECT_EQ(names(name), first_chapter_) << name;
  }
  EXPECT_EQ(names("2"), Names{"1_kernels"});
}

TEST_F(Course, ListsWhatThereIsWhenNothingIsMeant) {
  for (const char* name : {"nosuch", "1.9", "5.7.2", "..", "/", "2_2_copyin", " ", "1.2.2.", "-1"}) {
    try {
      ADD_FAILURE() << name << " names " << names(name).size() << " lessons";
    } catch (const Stop& stop) {
      EXPECT_EQ(stop.code(), wrong_usage);
      EXPECT_NE(std::string(stop.what()).find("1.2.2   Copying  (2_2_copying)"), std::string::npos) << stop.what();
    }
  }
}

TEST_F(Course, SuggestsTheNearestName) {
  const auto complaint = [&](const std::string& wanted) {
    try {
      return "found " + names(wanted).front();
    } catch (const Stop& stop) {
      return std::string(stop.what());
    }
  };
  EXPECT_NE(complaint("2_2_copyin").find("Did you mean 2_2_copying?"), std::string::npos);
  EXPECT_NE(complaint("coping").find("Did you mean copying?"), std::string::npos);
  EXPECT_EQ(complaint("something else").find("Did you mean"), std::string::npos);
}

TEST_F(Course, KnowsWhatComesNext) {
  const auto lessons = find_lessons(root_);
  EXPECT_EQ(after(lessons, lessons[1])->name, "2_2_copying");
  EXPECT_EQ(after(lessons, lessons.back()), nullptr);
}

TEST_F(Course, RefusesAChapterFileThatIsNotJson) {
  write(root_ / "chapters" / "1_gpus" / "chapter.json", "{\"book\": 5.6");
  EXPECT_THROW(find_lessons(root_), Stop);
  write(root_ / "chapters" / "1_gpus" / "chapter.json", "{\"book\": 5.6}");
  EXPECT_THROW(find_lessons(root_), Stop);
  write(root_ / "chapters" / "1_gpus" / "chapter.json", R"({"book": ["5.6"], "within": ["6.7.3"]})");
  EXPECT_THROW(find_lessons(root_), Stop);
}

TEST_F(Course, RefusesARootWithoutChapters) { EXPECT_THROW(find_lessons(root_ / "nowhere"), Stop); }

}  // namespace
}  // namespace d2l::runner
