// SPDX-License-Identifier: MIT
// The texts of the chapters: the library has each as its file is.
#include "d2l/texts.h"

#include <filesystem>

#include "d2l/error.h"
#include "gtest/gtest.h"
#include "messages.h"
#include "temporary_folder.h"

namespace d2l {
namespace {

TEST(Texts, AreTheFilesOfTheChapters) {
  int count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(std::string(D2L_ROOT "/chapters"))) {
    const auto& path = entry.path();
    if (path.parent_path().filename() != "data" || path.extension() != ".txt") continue;
    const std::string expected = tests::contents(path);
    EXPECT_TRUE(course_text(path.stem().string()) == expected) << path;
    EXPECT_LE(expected.size(), 400'000U) << path;
    ++count;
  }
  EXPECT_GE(count, 1);
}

TEST(Texts, ThatDoNotExistAreNamed) {
  const auto message = tests::message_of<ValueError>([] { static_cast<void>(course_text("carol")); });
  EXPECT_TRUE(tests::contains(message, "[course_text] there is no text carol")) << message;
  EXPECT_TRUE(tests::contains(message, "alice")) << message;
}

}  // namespace
}  // namespace d2l
