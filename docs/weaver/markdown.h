// SPDX-License-Identifier: MIT
// Prose in Markdown as HTML, by md4c: code in it in colour, public names and sections as links.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "highlight.h"
#include "names.h"

namespace d2l::weaver {

/// What prose may lead to.
struct Links {
  Names names;
  std::map<std::string, std::string> sections;   ///< "1.2.2" and the address of its page
  std::map<std::string, std::string> exercises;  ///< "1.5.3" and the address of its page
};

/// Markdown as HTML. Nothing in it is taken for HTML, so that every character is itself. "section 1.2.2" and
/// "exercise 1.5.3" become links.
std::string markdown(std::string_view text, const Links& links, const Variables& variables = {});

/// Prose from one heading to the next.
struct Passage {
  int level = 0;  ///< of the heading; 0 for what stands before the first
  std::string heading;
  std::string text;
};
/// Some Markdown, parted at its headings; a `#` within a block of code is none.
std::vector<Passage> passages_of(const std::vector<std::string>& lines);

}  // namespace d2l::weaver
