// SPDX-License-Identifier: MIT
#include "source/text.h"

#include <gtest/gtest.h>

namespace d2l::weaver {
namespace {

const std::string awkward = "a\\b @c #d 100% <e> & \"f\" 'g' -- --- \\f$x\\f$ $y$ \\endhtmlonly\t{h} &amp; ~i~ é";

TEST(Text, SurvivesARoundTripThroughHtml) {
  EXPECT_EQ(html("<a & \"b\">"), "&lt;a &amp; &quot;b&quot;&gt;");
  EXPECT_EQ(text_of_html(html(awkward)), awkward);
  EXPECT_EQ(text_of_html(shielded(html(awkward))), awkward);
}

TEST(Text, ContainsNoDoxygenCommandWhenShielded) {
  EXPECT_EQ(shielded(html(awkward)).find_first_of("\\@\t"), std::string::npos);
}

TEST(Text, IsSplitIntoLinesAndJoined) {
  EXPECT_EQ(lines_of("a\n\nb"), (std::vector<std::string>{"a", "", "b"}));
  EXPECT_EQ(lines_of("a\n"), (std::vector<std::string>{"a"}));
  EXPECT_EQ(lines_of(""), std::vector<std::string>());
  EXPECT_EQ(joined({"a", ""}), "a\n\n");
  EXPECT_EQ(replaced("aaa", "a", "aa"), "aaaaaa");
}

TEST(Text, LosesItsMarkdown) {
  EXPECT_EQ(without_markdown("One `copy` and *two*"), "One copy and two");
  EXPECT_EQ(without_markdown("2*3"), "2*3");
}

}  // namespace
}  // namespace d2l::weaver
