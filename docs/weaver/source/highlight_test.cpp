// SPDX-License-Identifier: MIT
#include "source/highlight.h"

#include <gtest/gtest.h>

#include <regex>
#include <stdexcept>

#include "source/tags_for_tests.h"
#include "source/text.h"
#include "source/tokens.h"

namespace d2l::weaver {
namespace {

const Names names(some_tags);

/// The code of a block: its text without tags.
std::string without_tags(const std::string& block) {
  return text_of_html(std::regex_replace(block, std::regex("<[^>]*>"), ""));
}

std::string in_block(const std::string& code, const Variables& variables = {}) {
  return code_block(code, names, variables);
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Names, AreFoundWithAndWithoutNamespace) {
  EXPECT_EQ(names.find("ones"), "namespaced2l.html#a1");
  EXPECT_EQ(names.find("d2l::ones"), "namespaced2l.html#a1") << "the first of the overloads";
  EXPECT_EQ(names.find("Tensor"), "classd2l_1_1Tensor.html");
  EXPECT_EQ(names.find("nn::Linear"), "namespaced2l_1_1nn.html#b1");
  EXPECT_EQ(names.find("Direction::device_to_host"), "namespaced2l.html#a3");
  EXPECT_EQ(names.find("nosuch"), std::nullopt);
  EXPECT_TRUE(names.is_class("Parameter"));
  EXPECT_FALSE(names.is_class("ones"));
}

TEST(Names, HaveOwnAndInheritedMembers) {
  EXPECT_EQ(names.find_member("Parameter", "device"), "classd2l_1_1Tensor.html#c1");
  EXPECT_EQ(names.find_member("Ledger", "device"), std::nullopt);
  EXPECT_EQ(names.find_member("summary"), "classd2l_1_1Ledger.html#d1");
  EXPECT_EQ(names.find_member("clear"), std::nullopt) << "two classes have it";
  EXPECT_THROW(Names("no tags"), std::runtime_error);
}

TEST(Code, KeepsEveryCharacter) {
  const std::string code =
      "#include <a>\n\nint main() {  // <&\">\n\tauto s = R\"x(a\n)\" )x\"; /* b\n c */ char c = '\\''; \"open\n  "
      "1'000.5f;\n}";
  const auto tokens = tokens_of(code);
  std::string together;
  for (const auto& token : tokens) together += token.text;
  EXPECT_EQ(together, code);
  EXPECT_EQ(without_tags(in_block(code)), replaced(code, "\n\n", "\n \n") + "\n\n");
}

TEST(Code, ClosesColoursOnEachLine) {
  const auto block = in_block("return \"a\"; // b\n/* c\nd */ int i;");
  EXPECT_TRUE(
      has(block, "<span class=\"keywordflow\">return</span> <span class=\"stringliteral\">&quot;a&quot;</span>"));
  EXPECT_TRUE(has(block, "<span class=\"comment\">// b</span></div>"));
  EXPECT_TRUE(
      has(block, "<span class=\"comment\">/* c</span></div>\n<div class=\"line\"><span class=\"comment\">d */</span>"));
  EXPECT_TRUE(has(block, "<span class=\"keywordtype\">int</span> i;"));
}

TEST(Code, ColoursCuda) {
  const auto block = in_block("__global__ void f() {}\nf<<<dim3(1), 2>>>();");
  EXPECT_TRUE(has(block, "<span class=\"keyword\">__global__</span> <span class=\"keywordtype\">void</span>"));
  EXPECT_TRUE(has(block, "&lt;&lt;&lt;<span class=\"keywordtype\">dim3</span>"));
}

TEST(Code, LinksPublicNames) {
  const std::string code = "const Tensor X = ones({2});\nLedger ledger;\nledger.clear(); X.device(); f(X).summary();";
  const auto block = in_block(code, variables_of(code, names));
  EXPECT_TRUE(has(block, "<a class=\"code\" href=\"classd2l_1_1Tensor.html\">Tensor</a> X"));
  EXPECT_TRUE(has(block, "<a class=\"code\" href=\"namespaced2l.html#a1\">ones</a>("));
  EXPECT_TRUE(has(block, "ledger.<a class=\"code\" href=\"classd2l_1_1Ledger.html#d2\">clear</a>"));
  EXPECT_TRUE(has(block, ".<a class=\"code\" href=\"classd2l_1_1Tensor.html#c1\">device</a>"));
  EXPECT_TRUE(has(block, ").<a class=\"code\" href=\"classd2l_1_1Ledger.html#d1\">summary</a>"));
}

TEST(Code, DoesNotLinkOtherThingsOfTheSameName) {
  for (const std::string code : {"std::ones(2)", "int ones = 2;", "Tensor ones(int n);", "// ones(2)", "\"ones(2)\""}) {
    EXPECT_FALSE(has(in_block(code), "#a1")) << code;
  }
  for (const std::string code : {"unknown.clear()", "unknown.device()", "unknown.summary()", "f(x).push_back(2)"}) {
    EXPECT_FALSE(has(in_block(code), "href")) << code;
  }
}

TEST(CodeInProse, LinksCallsAndTypes) {
  EXPECT_EQ(code_span("ones()", names), "<code><a class=\"code\" href=\"namespaced2l.html#a1\">ones</a>()</code>");
  EXPECT_EQ(code_span("Tensor", names), "<a class=\"code\" href=\"classd2l_1_1Tensor.html\"><code>Tensor</code></a>");
  EXPECT_EQ(code_span("ones", names), "<code>ones</code>") << "it may be a variable of the reader";
  EXPECT_EQ(code_span("a < b", names), "<code>a &lt; b</code>");
}

}  // namespace
}  // namespace d2l::weaver
