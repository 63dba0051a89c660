// SPDX-License-Identifier: MIT
// Text on its way into a page: through HTML, and through Doxygen, which must change nothing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace d2l::weaver {

/// Text as HTML: & < > and quotes as entities.
std::string html(std::string_view text);
/// The text that some HTML without tags stands for, as a browser reads it: the inverse of html() and of shielded().
std::string text_of_html(std::string_view html);
/// HTML without a character that Doxygen would take for a command or replace: \ @ and tabs as entities.
std::string shielded(std::string_view html);
/// The inverse of shielded().
std::string unshielded(std::string html);
/// A line of text as Doxygen's Markdown, in which it means itself: for titles and headings.
std::string plain_for_doxygen(std::string_view text);
/// A line of Markdown without its signs: `code` and *words* without backticks and stars.
std::string without_markdown(std::string_view line);

/// The lines of a text, without their ends; a text that ends with \n has no empty line after it.
std::vector<std::string> lines_of(std::string_view text);
/// Lines, each with \n behind it.
std::string joined(const std::vector<std::string>& lines);
/// Replaces every `from`.
std::string replaced(std::string text, std::string_view from, std::string_view to);

}  // namespace d2l::weaver
