// SPDX-License-Identifier: MIT
// Markdown for a terminal of some width. ./learn compiles this file too.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace d2l::detail {

/// Markdown as a terminal shows it: paragraphs and lists as wrapped() gives them; blocks of code indented, without
/// their fences; tables in columns, whose texts are wrapped where the table would be wider than `width`; *emphasis*
/// between the codes `begin` and `end`.
std::string terminal_markdown(const std::vector<std::string>& markdown, int width, std::string_view begin = "",
                              std::string_view end = "");

}  // namespace d2l::detail
