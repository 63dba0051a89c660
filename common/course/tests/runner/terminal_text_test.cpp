// SPDX-License-Identifier: MIT
// Text and Markdown for a terminal of some width.
#include "base/terminal_text.h"

#include <gtest/gtest.h>

#include "base/terminal_markdown.h"
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

TEST(TerminalMarkdown, JoinsTheLinesOfAParagraphAndShowsEmphasis) {
  const auto text =
      runner::lines_of("Some *important* words\nand **more** of 2 * 3.\n\n- `a * b` and\n  `c*d`\n- last\n");
  EXPECT_EQ(terminal_markdown(text, 40, "<", ">"),
            "Some <important> words and <more> of 2 *\n3.\n\n- `a * b` and `c*d`\n- last\n");
}

TEST(TerminalMarkdown, IndentsCodeAndKeepsItsLines) {
  const auto text = runner::lines_of("Run this:\n```console\n$ a | b\n\n- x *y*\n```\nThen\nthat.\n");
  EXPECT_EQ(terminal_markdown(text, 40, "<", ">"), "Run this:\n    $ a | b\n\n    - x *y*\nThen that.\n");
}

TEST(TerminalMarkdown, HasTablesInColumns) {
  const auto text = runner::lines_of("| name | *what* |\n| --- | :-: |\n| `a|b` | c \\| d |\n| long | |\ntext\n");
  EXPECT_EQ(terminal_markdown(text, 40, "<", ">"),
            "name   <what>\n"
            "-----  ------\n"
            "`a|b`  c | d\n"
            "long\n"
            "text\n");
}

TEST(TerminalMarkdown, WrapsTheTextsOfAWideTable) {
  const auto text = runner::lines_of("| n | meaning |\n| --- | --- |\n| 1 | one two three four |\n| 2 | five |\n");
  EXPECT_EQ(terminal_markdown(text, 14),
            "n  meaning\n"
            "-  -----------\n"
            "1  one two\n"
            "   three four\n"
            "2  five\n");
  // No column becomes narrower than a word.
  EXPECT_EQ(terminal_markdown(text, 4), "n  meaning\n-  --------\n1  one two\n   three\n   four\n2  five\n");
}

TEST(TerminalText, HasTablesWithoutTheColumnsThatDoNotFit) {
  const std::vector<std::vector<std::string>> rows{{"1", "A title", "name", "x"}, {"1.2.3", "T", "longer", "yy"}};
  EXPECT_EQ(table(rows, 80), "1      A title  name    x\n1.2.3  T        longer  yy\n");
  EXPECT_EQ(table(rows, 20), "1      A title\n1.2.3  T\n");
}

}  // namespace
}  // namespace d2l::detail
