// SPDX-License-Identifier: MIT
#include "pages/notebook.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace d2l::weaver {
namespace {

const char* const source =
    "// A lesson.\n"
    "#include \"d2l/show.h\"\n"
    "\n"
    "// %%\n"
    "// # Copying\n"
    "//\n"
    "// Prose.\n"
    "int main() {\n"
    "  show(1);\n"
    "\n"
    "  // %%\n"
    "  // More.\n"
    "  show(2);\n"
    "\n"
    "  // %%\n"
    "  // The end.\n"
    "}\n";

nlohmann::json cells_of_notebook() {
  runner::Lesson lesson;
  lesson.chapter = "1_gpus";
  lesson.name = "2_2_copying";
  lesson.number = "1.2.2";
  lesson.title = "Copying";
  Capture capture;
  capture.name = "two virtual GPUs";
  capture.cells[1] = {{Output::Kind::text, "1", ""}, {Output::Kind::measured, "a wait: 3 ms", "a wait"}};
  capture.cells[2] = {{Output::Kind::svg, "<svg/>", "a curve"}};
  const auto document = nlohmann::json::parse(notebook(lesson, source, capture, "https://example.org/course.git"));
  EXPECT_EQ(document.at("nbformat"), 4);
  EXPECT_EQ(document.at("nbformat_minor"), 5);
  return document.at("cells");
}

std::string text_of(const nlohmann::json& cell) {
  std::string text;
  for (const auto& line : cell.at("source")) text += line.get<std::string>();
  return text;
}

TEST(Notebook, HasProseAndCodeOfEachCellExceptTheLastBrace) {
  std::vector<std::string> ids;
  for (const auto& cell : cells_of_notebook()) ids.push_back(cell.at("id"));
  EXPECT_EQ(
      ids, (std::vector<std::string>{"about", "fetch", "cell-0", "prose-1", "cell-1", "prose-2", "cell-2", "prose-3"}));
}

TEST(Notebook, NumbersItsCells) {
  const auto cells = cells_of_notebook();
  EXPECT_EQ(text_of(cells[2]), "%%d2l 0\n#include \"d2l/show.h\"");
  EXPECT_EQ(text_of(cells[3]), "# 1.2.2 Copying\n\nProse.");
  EXPECT_EQ(text_of(cells[4]), "%%d2l 1\nint main() {\n  show(1);");
  EXPECT_EQ(text_of(cells[6]), "%%d2l 2\nshow(2);");
}

TEST(Notebook, ShowsTheCaptureAndMarksMeasuredValues) {
  const auto cells = cells_of_notebook();
  const auto& outputs = cells[4].at("outputs");
  ASSERT_EQ(outputs.size(), 2U);
  EXPECT_EQ(outputs[0].at("data").at("text/plain"), "1");
  EXPECT_FALSE(outputs[0].at("metadata").contains("measured"));
  EXPECT_EQ(outputs[1].at("data").at("text/plain"), "a wait: 3 ms (measured)");
  EXPECT_EQ(outputs[1].at("metadata").at("measured"), true);
  EXPECT_EQ(cells[6].at("outputs")[0].at("data").at("image/svg+xml"), "<svg/>");
}

TEST(Notebook, FetchesTheCourseFromItsAddress) {
  const auto cells = cells_of_notebook();
  EXPECT_NE(text_of(cells[1]).find("address = \"https://example.org/course.git\""), std::string::npos);
  EXPECT_NE(text_of(cells[1]).find("open_lesson(\"1_gpus/2_2_copying\", course)"), std::string::npos);
}

}  // namespace
}  // namespace d2l::weaver
