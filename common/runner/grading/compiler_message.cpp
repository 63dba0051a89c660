// SPDX-License-Identifier: MIT
#include "grading/compiler_message.h"

#include <fmt/format.h>

#include <regex>

#include "base/text.h"
#include "grading/reports/printable.h"

namespace d2l::grading {
namespace {

/// The name between the first ` or ' and the next ', the quotes of the GNU linker; else what follows ": ", as with
/// LLVM's.
std::string quoted_name(const std::string& line, std::size_t from) {
  const std::size_t begin = line.find_first_of("`'", from);
  if (begin == std::string::npos) {
    const std::size_t colon = line.find(": ", from);
    return colon == std::string::npos ? line.substr(from) : line.substr(colon + 2);
  }
  return line.substr(begin + 1, line.find('\'', begin + 1) - begin - 1);
}

}  // namespace

std::string compiler_message(const std::string& output) {
  const std::pair<std::string, std::string> kinds[] = {{"multiple definition of", "redefines "},
                                                       {"duplicate symbol", "redefines "},
                                                       {"undefined reference to", "does not define "},
                                                       {"undefined symbol", "does not define "}};
  std::string first_error;
  for (const std::string& line : runner::lines_of(printable(output))) {
    for (const auto& [said, verb] : kinds) {
      const std::size_t at = line.find(said);
      if (at != std::string::npos) return verb + quoted_name(line, at + said.size());
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
