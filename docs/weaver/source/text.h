// SPDX-License-Identifier: MIT
// Text for a page: escaped for HTML, and for Doxygen, which must not change it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"

namespace d2l::weaver {

using runner::html;
using runner::lines_of;
using runner::replaced;

/// HTML with \ @ and tabs as entities, so that Doxygen finds no command in it.
std::string shielded(std::string_view html);
/// The text of HTML without tags, as a browser reads it: the inverse of html() and of shielded().
std::string text_of_html(std::string_view html);
/// A line of text escaped for Doxygen's Markdown: for titles and headings.
std::string plain_for_doxygen(std::string_view text);
/// A line of Markdown without the backticks and stars of `code` and *words*.
std::string without_markdown(std::string_view line);

/// The lines, each followed by \n.
std::string joined(const std::vector<std::string>& lines);

}  // namespace d2l::weaver
