// SPDX-License-Identifier: MIT
#include "grading/compiler_message.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <regex>
#include <utility>

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

std::string compiler_message(const std::string& output, bool places) {
  // Not longer: std::regex recurses for each character.
  constexpr std::size_t longest = 1000;
  const std::regex place(R"(^(?:\S*/)?(\S+?):(\d+)(?::\d+)?: (?:fatal )?error: (.*))");
  const std::pair<std::string, std::string> kinds[] = {{"multiple definition of", "redefines "},
                                                       {"duplicate symbol", "redefines "},
                                                       {"undefined reference to", "does not define "},
                                                       {"undefined symbol", "does not define "}};
  std::string first_error;
  std::string linker_error;
  for (const std::string& whole : runner::lines_of(printable(output))) {
    const std::string line = whole.substr(0, longest);
    if (line.find(": warning: ") != std::string::npos) continue;
    std::smatch match;
    if (std::regex_search(line, match, place)) {  // the linker's errors have no such place
      if (!places) return "does not compile: " + first_line(match[3].str());
      return fmt::format("does not compile: line {} of {}: {}", match[2].str(), match[1].str(),
                         first_line(match[3].str()));
    }
    for (const auto& [said, verb] : kinds) {
      const std::size_t at = line.find(said);
      if (linker_error.empty() && at != std::string::npos)
        linker_error = verb + one_line(quoted_name(line, at + said.size()), 300);
    }
    if (first_error.empty() && line.find("error:") != std::string::npos) first_error = line;
  }
  return linker_error.empty() ? "does not compile: " + first_line(first_error.empty() ? output : first_error)
                              : linker_error;
}

bool renames_lines(const std::string& source) {
  static const std::regex continued("\\\\[ \t]*\r?\n");
  const std::string text = std::regex_replace(source, continued, "");
  for (std::size_t at = 0; (at = text.find_first_of("#:", at)) != std::string::npos;) {
    const bool directive = text[at] == '#' || (at > 0 && text[at - 1] == '%');
    ++at;
    while (directive && at < text.size()) {
      const bool comment = text.compare(at, 2, "/*") == 0;
      if (!comment && std::isspace(static_cast<unsigned char>(text[at])) == 0) break;
      at = comment ? std::min(text.find("*/", at + 2), text.size() - 2) + 2 : at + 1;
    }
    if (directive && (text.compare(at, 4, "line") == 0 ||
                      (at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0)))
      return true;
  }
  return false;
}

}  // namespace d2l::grading
