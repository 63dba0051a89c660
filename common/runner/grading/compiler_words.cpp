// SPDX-License-Identifier: MIT
// Finds the line that matters among those that a compiler and a linker write.
#include <fmt/format.h>

#include <regex>
#include <sstream>

#include "grade_exercise.h"
#include "text.h"

namespace d2l::grading {
namespace {

/// The name between the first ` or ' and the next ', which is how the GNU linker and LLVM's quote.
std::string quoted_name(const std::string& line, std::size_t from) {
  const std::size_t begin = line.find_first_of("`'", from);
  if (begin == std::string::npos) {
    const std::size_t colon = line.find(": ", from);
    return colon == std::string::npos ? line.substr(from) : line.substr(colon + 2);
  }
  return line.substr(begin + 1, line.find('\'', begin + 1) - begin - 1);
}

}  // namespace

std::string compiler_words(const std::string& output) {
  std::istringstream lines(shown(output));
  std::string first_error;
  for (std::string line; std::getline(lines, line);) {
    for (const std::string said : {"multiple definition of", "duplicate symbol"}) {
      const std::size_t at = line.find(said);
      if (at != std::string::npos) return "redefines " + quoted_name(line, at + said.size());
    }
    for (const std::string said : {"undefined reference to", "undefined symbol"}) {
      const std::size_t at = line.find(said);
      if (at != std::string::npos) return "does not define " + quoted_name(line, at + said.size());
    }
    if (first_error.empty() && line.find("error:") != std::string::npos) first_error = line;
  }
  const std::regex place(R"(^(?:\S*/)?(\S+?):(\d+)(?::\d+)?: (?:fatal )?error: (.*))");
  std::smatch match;
  if (!std::regex_search(first_error, match, place))
    return "does not compile: " + first_line(first_error.empty() ? output : first_error);
  return fmt::format("does not compile: line {} of {}: {}", match[2].str(), match[1].str(), first_line(match[3].str()));
}

}  // namespace d2l::grading
