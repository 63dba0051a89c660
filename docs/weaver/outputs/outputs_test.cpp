// SPDX-License-Identifier: MIT
#include "outputs/outputs.h"

#include <gtest/gtest.h>

namespace d2l::weaver {
namespace {

using Kind = Output::Kind;

Capture capture(const std::string& configuration, const std::vector<Output>& outputs) {
  Capture made;
  made.configuration = configuration;
  made.name = configuration;
  made.cells[2] = outputs;
  return made;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

const std::string picture =
    "<svg xmlns=\"s\" width=\"1\">\n<title>t &amp; u</title><g id=\"a\"/><use href=\"#a\"/><p fill=\"url(#a)\"/></svg>";

TEST(Outputs, AreOneBlockIfEqual) {
  const std::vector<Output> outputs{{Kind::text, "\n<a>\t&", ""}, {Kind::text, "", ""}};
  EXPECT_EQ(outputs_of_cell({capture("none", outputs), capture("virtual2", outputs)}, 2, "cell2"),
            "<div class=\"d2l-outputs\" data-cell=\"2\">\n<pre class=\"d2l-output\">\n\n&lt;a&gt;\t&amp;</pre>\n"
            "<pre class=\"d2l-output\"></pre>\n</div>\n");
}

TEST(Outputs, HaveTabsIfTheyDiffer) {
  const std::vector<Capture> captures{capture("none", {{Kind::text, "a", ""}}),
                                      capture("virtual2", {{Kind::text, "b", ""}})};
  const auto html = outputs_of_cell(captures, 2, "cell2");
  EXPECT_TRUE(has(html,
                  "<button role=\"tab\" id=\"cell2-virtual2\" aria-controls=\"cell2-virtual2-panel\" "
                  "aria-selected=\"true\" data-configuration=\"virtual2\">virtual2</button>"));
  EXPECT_TRUE(has(html, "id=\"cell2-none\" aria-controls=\"cell2-none-panel\" aria-selected=\"false\""));
  EXPECT_TRUE(has(html, "<div role=\"tabpanel\" id=\"cell2-none-panel\" aria-labelledby=\"cell2-none\""));
  EXPECT_EQ(outputs_of_cell(captures, 1, "cell1"), "") << "a cell without outputs";
}

TEST(Outputs, MarkMeasuredValues) {
  EXPECT_NE(outputs_html({{Kind::measured, "a\nb", "a table"}}, "c").find("<pre class=\"d2l-value\">a\nb</pre>"),
            std::string::npos);
  EXPECT_EQ(
      outputs_html({{Kind::measured, "the copy: 3 ms", "the copy"}}, "c"),
      "<div class=\"d2l-measured\"><span class=\"d2l-label\">the copy</span> <span class=\"d2l-value\">3 ms</span> "
      "<span class=\"d2l-mark\">measured</span></div>\n");
}

TEST(Picture, HasAnAlternativeTextAndUniqueIds) {
  const auto svg = embedded_svg("<?xml version=\"1.0\"?>\n" + picture, "a \"b\"", "cell2");
  EXPECT_TRUE(svg.starts_with("<svg aria-label=\"a &quot;b&quot;\" role=\"img\" xmlns"));
  EXPECT_TRUE(has(svg, "id=\"cell2-a\"") && has(svg, "href=\"#cell2-a\"") && has(svg, "url(#cell2-a)"));
  EXPECT_FALSE(has(embedded_svg("<svg role=\"img\" aria-label=\"c\">", "d", "e"), "\"d\""));
}

}  // namespace
}  // namespace d2l::weaver
