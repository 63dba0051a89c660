// SPDX-License-Identifier: MIT
// Text for a terminal of some width.
#include "base/terminal_text.h"

#include <gtest/gtest.h>

#include "base/text.h"

namespace d2l::detail {
namespace {

TEST(TerminalText, WrapsBetweenWordsBelowTheText) {
  const struct {
    const char* text;
    int width;
    const char* expected;
  } rows[] = {{"", 10, ""},
              {"one two three", 7, "one two\nthree"},
              {"  one two three", 9, "  one two\n  three"},
              {"- one two three", 9, "- one two\n  three"},
              {"extraordinary word", 5, "extraordinary\nword"},
              {"  mark  2/2  one two three", 21, "  mark  2/2  one two\n        three"},
              {"a long first column  one two", 20, "a long first column\none two"},
              {"\033[1mone\033[0m two\nçäö œßé", 7, "\033[1mone\033[0m two\nçäö œßé"}};
  for (const auto& row : rows) EXPECT_EQ(wrapped(row.text, row.width), row.expected) << row.text;
}

TEST(TerminalText, JoinsTheLinesOfAParagraphAndShowsEmphasis) {
  const auto text = runner::lines_of(
      "Some *important* words\nand **more** of 2 * 3.\n\n- `a * b` and\n  `c*d`\n- last\n\n```\n*p = 1;\n\n- x\n```\n");
  EXPECT_EQ(
      terminal_text(text, 40, "<", ">"),
      "Some <important> words and <more> of 2 *\n3.\n\n- `a * b` and `c*d`\n- last\n\n```\n*p = 1;\n\n- x\n```\n");
}

TEST(TerminalText, HasTablesWithoutTheColumnsThatDoNotFit) {
  const std::vector<std::vector<std::string>> rows{{"1", "A title", "name", "x"}, {"1.2.3", "T", "longer", "yy"}};
  EXPECT_EQ(table(rows, 80), "1      A title  name    x\n1.2.3  T        longer  yy\n");
  EXPECT_EQ(table(rows, 20), "1      A title\n1.2.3  T\n");
}

}  // namespace
}  // namespace d2l::detail
