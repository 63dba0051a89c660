// SPDX-License-Identifier: MIT
// Doxygen must not change a character of a page.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "base/files.h"
#include "base/process.h"
#include "pages/page.h"
#include "source/markdown.h"
#include "source/text.h"

namespace d2l::weaver {
namespace {

namespace fs = std::filesystem;

const std::string awkward =
    "a\\b \\c @c @param #d ::e 100% %f <g> <em> & &amp; \"h\" 'i' -- --- ... \\f$x\\f$ \\f[ $y$ \\endhtmlonly @endcode "
    "\\n \\section {i} é → · ~j~ _k_l_ http://example.org a.b() Tensor std::vector :smile: -> <-";

/// Doxygen's HTML of a page.
std::string by_doxygen(const Page& page) {
  const auto folder = fs::temp_directory_path() / ("d2l_doxygen_test_" + std::to_string(::getpid()));
  runner::write_file(folder / "in" / (page.id() + ".md"), page.text());
  runner::write_file(folder / "in" / "tensor.h", "/** A class. */\nclass Tensor {};\n");
  runner::write_file(
      folder / "Doxyfile",
      "INPUT = in\nQUIET = YES\nGENERATE_LATEX = NO\nUSE_MATHJAX = YES\nWARN_AS_ERROR = FAIL_ON_WARNINGS\n");
  EXPECT_EQ(runner::run({D2L_DOXYGEN, "Doxyfile"}, folder), 0);
  const auto html = runner::read_file(folder / "html" / (page.id() + ".html"));
  fs::remove_all(folder);
  return html;
}

/// The text of the first `open`…`close`.
std::string text_between(const std::string& html, const std::string& open, const std::string& close) {
  const auto begin = html.find(open);
  if (begin == std::string::npos) return open + " is missing";
  const auto from = begin + open.size();
  return text_of_html(html.substr(from, html.find(close, from) - from));
}

TEST(Doxygen, ChangesNoCharacter) {
  Page page("a_page", "A page");
  page.block("<p id=\"prose\">" + html(awkward) + "</p>");
  page.section(1, "A section");
  page.block(code_block("\tx = '" + awkward + "';\n\n  # y\n    four\n* z", {}));
  page.block("<pre id=\"output\">" + html("\n\n   " + awkward + "\n\n\n# a\n- b\n    c\t\td  \n1. e\n```\n") +
             "</pre>");
  page.block(markdown("Some `" + awkward.substr(0, 40) + "`", {}));
  const auto made = by_doxygen(page);
  EXPECT_EQ(text_between(made, "<p id=\"prose\">", "</p>"), awkward);
  EXPECT_EQ(text_between(made, "<pre id=\"output\">", "</pre>"),
            "\n\n   " + awkward + "\n\n\n# a\n- b\n    c\t\td  \n1. e\n```\n");
  EXPECT_NE(made.find("id=\"a_page_a_section\""), std::string::npos);
  EXPECT_EQ(text_between(made, "Some <code>", "</code>"), awkward.substr(0, 40));
  const auto code = text_between(made, "<div class=\"fragment d2l-code\">", "</div>\n</div>\n");
  EXPECT_NE(code.find("<div class=\"line\">    four</div>\n<div class=\"line\">* z"), std::string::npos);
}

TEST(Doxygen, ShowsTitlesAsTheyAre) {
  for (const std::string title : {"A \\copy of @one & <two> -- \"three\" #4, 100 %d: it's _not_ *bold* `code`",
                                  "Copies without peer access", "3.2 x[i] = {1}; a_b_c | d ~ e -> f"}) {
    Page page("a_page", title);
    page.section(1, title);
    const auto made = by_doxygen(page);
    EXPECT_EQ(text_between(made, "<div class=\"title\">", " </div>"), title);
    const auto at = made.find("id=\"a_page_" + runner::slug(title) + "\"></a>");
    ASSERT_NE(at, std::string::npos) << title;
    EXPECT_EQ(text_between(made.substr(at), "</a>\n", "</h1>"), title);
  }
}

TEST(Page, HasAnAnchorForEachSection) {
  EXPECT_EQ(runner::slug("A copy, or not?"), "a_copy_or_not");
  Page page("p", "P");
  page.section(1, "Twice");
  page.section(2, "Twice");
  EXPECT_NE(page.text().find("## Twice {#p_twice}\n"), std::string::npos);
  EXPECT_NE(page.text().find("### Twice {#p_twice_2}\n"), std::string::npos);
}

}  // namespace
}  // namespace d2l::weaver
