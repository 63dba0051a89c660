// SPDX-License-Identifier: MIT
#include "pages/preamble.h"

#include <algorithm>

#include "source/text.h"

namespace d2l::weaver {

std::string beginning_of(const std::string& source, const std::vector<detail::LessonCell>& cells) {
  auto lines = lines_of(source);
  lines.resize(std::min(lines.size(), static_cast<std::size_t>(std::max(cells.front().line - 1, 0))));
  const auto is_code = [](const std::string& line) { return !line.empty() && !line.starts_with("//"); };
  const auto first = std::find_if(lines.begin(), lines.end(), is_code);
  lines.erase(lines.begin(), first);
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  return joined(lines);
}

bool only_closes(const std::string& code) { return code.find_first_not_of("}; \n") == std::string::npos; }

}  // namespace d2l::weaver
