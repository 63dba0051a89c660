// SPDX-License-Identifier: MIT
// Lessons, exercises and solutions are read in a terminal and on a page: their lines have at most 88 columns.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <string>

#include "architecture/source_tree.h"
#include "gtest/gtest.h"
#include "temporary_folder.h"

namespace {

namespace fs = std::filesystem;

constexpr int max_columns = 88;

/// The characters of a line in UTF-8.
int columns_of(const std::string& line) {
  return static_cast<int>(std::count_if(line.begin(), line.end(), [](char byte) { return (byte & 0xC0) != 0x80; }));
}

/// "exercise.h:3 has 90 columns\n" for each line that is too long.
std::string long_lines(const fs::path& root, const std::string& folder) {
  std::string found;
  for (const fs::path& file : d2l::tests::sources(root, folder)) {
    if (file.stem() == "exercise" && file.extension() != ".h") continue;  // a student's
    int number = 0;
    for (const std::string& line : d2l::tests::lines_of(root / folder / file)) {
      ++number;
      if (const int columns = columns_of(line); columns > max_columns) {
        found += fmt::format("{}:{} has {} columns\n", (fs::path(folder) / file).string(), number, columns);
      }
    }
  }
  return found;
}

TEST(Lines, OfLessonsAndExercisesFitAPage) {
  for (const char* folder : {"chapters", "exercises", "solutions"}) EXPECT_EQ(long_lines(D2L_ROOT, folder), "");
}

/// What lessons say of their own lines, such as "Line 40 is `values[thread] = x[thread];`", and is not so; `count` is
/// the number of such sentences.
std::string wrong_lines(const fs::path& root, int& count) {
  const std::regex sentence("\\bLine ([0-9]+) is `([^`]+)`");
  std::string wrong;
  for (const fs::path& file : d2l::tests::sources(root, "chapters")) {
    const auto lines = d2l::tests::lines_of(root / "chapters" / file);
    for (const std::string& line : lines) {
      std::smatch match;
      if (!std::regex_search(line, match, sentence)) continue;
      ++count;
      const std::size_t number = std::stoul(match[1]);
      if (number < 1 || number > lines.size() || lines[number - 1].find(match[2]) == std::string::npos) {
        wrong += fmt::format("{}: {}\n", file.string(), match.str());
      }
    }
  }
  return wrong;
}

TEST(Lines, ThatALessonNamesAreWhatItSays) {
  int count = 0;
  EXPECT_EQ(wrong_lines(D2L_ROOT, count), "");
  EXPECT_GE(count, 1);
  const d2l::tests::TemporaryFolder root;
  root.write("chapters/1/a.cu",
             "int one;\n// Line 1 is `int one;`.\n// Line 4 is `int one;`.\nint four;\n// Line 9 is `x`.\n");
  EXPECT_EQ(wrong_lines(root.path(), count), "1/a.cu: Line 4 is `int one;`\n1/a.cu: Line 9 is `x`\n");
}

TEST(Lines, ThatAreTooLongAreNamed) {
  const d2l::tests::TemporaryFolder root;
  const std::string fits(88, 'x');
  root.write("a/lesson.cpp", "// ü" + fits.substr(4) + "\n" + fits + "x\n");
  root.write("a/exercise.cu", fits + "x\n");
  EXPECT_EQ(long_lines(root.path(), "a"), "a/lesson.cpp:2 has 89 columns\n");
}

}  // namespace
