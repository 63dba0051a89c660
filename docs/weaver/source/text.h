// SPDX-License-Identifier: MIT
// Text for a page: escaped for HTML, and for Doxygen, which must not change it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace d2l::weaver {

/// Text as HTML: & < > and quotes as entities.
std::string html(std::string_view text);
/// HTML with \ @ and tabs as entities, so that Doxygen finds no command in it.
std::string shielded(std::string_view html);
/// The text of HTML without tags, as a browser reads it: the inverse of html() and of shielded().
std::string text_of_html(std::string_view html);
/// A line of text escaped for Doxygen's Markdown: for titles and headings.
std::string plain_for_doxygen(std::string_view text);
/// A line of Markdown without the backticks and stars of `code` and *words*.
std::string without_markdown(std::string_view line);

/// The lines of a text without their ends; a final \n does not add an empty line.
std::vector<std::string> lines_of(std::string_view text);
/// The lines, each followed by \n.
std::string joined(const std::vector<std::string>& lines);
/// Replaces every `from`.
std::string replaced(std::string text, std::string_view from, std::string_view to);

}  // namespace d2l::weaver
