// SPDX-License-Identifier: MIT
// Lessons, exercises and solutions are read in a terminal and on a page: their lines have at most 88 columns.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
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

TEST(Lines, ThatAreTooLongAreNamed) {
  const d2l::tests::TemporaryFolder root;
  const std::string fits(88, 'x');
  root.write("a/lesson.cpp", "// ü" + fits.substr(4) + "\n" + fits + "x\n");
  root.write("a/exercise.cu", fits + "x\n");
  EXPECT_EQ(long_lines(root.path(), "a"), "a/lesson.cpp:2 has 89 columns\n");
}

}  // namespace
