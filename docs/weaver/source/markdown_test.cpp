// SPDX-License-Identifier: MIT
#include "source/markdown.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "source/tags_for_tests.h"
#include "source/text.h"

namespace d2l::weaver {
namespace {

Links some_links() {
  Links links;
  links.names = Names(some_tags);
  links.sections["1.2.2"] = "lesson_1_gpus_2_2_copying.html";
  links.exercises["1.5.3"] = "exercise_1_gpus_3_frobenius_log.html";
  return links;
}

TEST(Markdown, KeepsEveryCharacter) {
  // Markdown removes only the backslash of an escape.
  const std::string words = "a\\b @c #d 100% <e> & \"f\" 'g' -- --- \\f$ $x$ \\endhtmlonly {i} é → ·";
  EXPECT_EQ(markdown(words, {}), "<p>" + html(words) + "</p>\n");
  EXPECT_EQ(markdown("`a\\b @c <d> -- \"e\" $f$`", {}),
            "<p><code>" + html("a\\b @c <d> -- \"e\" $f$") + "</code></p>\n");
}

TEST(Markdown, BecomesHtml) {
  EXPECT_EQ(markdown("*a* **b**\nc", {}), "<p><em>a</em> <strong>b</strong>\nc</p>\n");
  EXPECT_EQ(markdown("- a\n- b\n", {}), "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n");
  EXPECT_EQ(markdown("3. a\n", {}), "<ol start=\"3\">\n<li>a</li>\n</ol>\n");
  EXPECT_EQ(markdown("[a](b.html?c&d)", {}), "<p><a href=\"b.html?c&amp;d\">a</a></p>\n");
  EXPECT_NE(markdown("| a |\n| --- |\n| b |\n", {}).find("<td>b</td>"), std::string::npos);
  EXPECT_NE(markdown("```sh\nint x; # <\n```\n", {}).find("<div class=\"line\">int x; # &lt;</div>"),
            std::string::npos);
}

TEST(Markdown, TakesTextOfAnyLength) {
  const std::string code = "// " + std::string(500'000, 'x') + "\n\"" + std::string(500'000, 'y') + "\";\n";
  EXPECT_GT(markdown("```cpp\n" + code + "```\n", {}).size(), code.size());
}

TEST(Markdown, LinksSectionsAndExercises) {
  const auto links = some_links();
  EXPECT_EQ(markdown("See section 1.2.2.", links),
            "<p>See <a href=\"lesson_1_gpus_2_2_copying.html\">section 1.2.2</a>.</p>\n");
  EXPECT_NE(markdown("in section\n1.2.2 it", links).find(">section\n1.2.2</a> it"), std::string::npos);
  EXPECT_NE(markdown("Exercise 1.5.3", links).find("exercise_1_gpus_3_frobenius_log.html"), std::string::npos);
  EXPECT_EQ(markdown("section 9.9", links), "<p>section 9.9</p>\n");
  EXPECT_EQ(markdown("version 1.2.2", links), "<p>version 1.2.2</p>\n");
  EXPECT_NE(markdown("`ones()`", links).find("namespaced2l.html#a1"), std::string::npos);
}

TEST(Markdown, HasEachRowOfATableOnALine) {
  const Links links;
  EXPECT_NE(markdown("| a | b |\n| --- | --- |\n| c | d | \n", links).find("<td>d</td>"), std::string::npos);
  EXPECT_NE(markdown("```\n| a\n```\n", links).find("| a"), std::string::npos);
  EXPECT_THROW(markdown("| a | b |\n| --- | --- |\n| c | a long\nline | | e | f |\n", links), std::runtime_error);
}

TEST(Markdown, IsSplitAtHeadings) {
  const auto passages = passages_of({"", "# Title", "", "a", "## One `copy`", "```", "# no heading", "```", "#hash"});
  ASSERT_EQ(passages.size(), 2u);
  EXPECT_EQ(passages[0].level, 1);
  EXPECT_EQ(passages[0].heading, "Title");
  EXPECT_EQ(passages[0].text, "\na\n");
  EXPECT_EQ(passages[1].level, 2);
  EXPECT_EQ(passages[1].heading, "One copy");
  EXPECT_EQ(passages[1].text, "```\n# no heading\n```\n#hash\n");
  EXPECT_EQ(passages_of({"a"}).front().level, 0);
}

}  // namespace
}  // namespace d2l::weaver
