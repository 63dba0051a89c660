// SPDX-License-Identifier: MIT
// Converts Markdown to HTML with md4c: highlights code, links public names and sections.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "source/highlight.h"
#include "source/names.h"

namespace d2l::weaver {

/// The targets of links in prose.
struct Links {
  Names names;
  std::map<std::string, std::string> sections;   ///< page of "1.2.2"
  std::map<std::string, std::string> exercises;  ///< page of "1.5.3"
};

/// Markdown as HTML. HTML in the Markdown is escaped. "section 1.2.2" and "exercise 1.5.3" become links. Throws for a
/// row of a table that is broken into two lines.
std::string markdown(std::string_view words, const Links& links, const Variables& variables = {});

/// The prose from one heading to the next.
struct Passage {
  int level = 0;  ///< of the heading; 0 for prose before the first heading
  std::string heading;
  std::string text;
};
/// Splits Markdown at its headings. A `#` within a block of code is not a heading.
std::vector<Passage> passages_of(const std::vector<std::string>& lines);

}  // namespace d2l::weaver
