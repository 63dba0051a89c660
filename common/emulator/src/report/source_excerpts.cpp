// SPDX-License-Identifier: MIT
#include "report/source_excerpts.h"

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <string_view>

namespace d2l::emulator::report_page {
namespace {

constexpr int longest_function = 200;
constexpr int near = 3;  ///< lines that are shown where no function is found
constexpr int smallest_gap = 3;
constexpr std::size_t max_bytes = std::size_t{4} << 20;

std::size_t indentation(const std::string& line) {
  const std::size_t at = line.find_first_not_of(" \t");
  return at == std::string::npos ? line.size() : at;
}

bool is_blank(const std::string& line) { return line.find_first_not_of(" \t\r") == std::string::npos; }

bool begins_function(const std::string& line) {
  if (is_blank(line)) return false;
  for (const char* const word : {"__global__", "__device__"}) {
    if (line.find(word) != std::string::npos) return true;
  }
  const std::string_view others = "}){#/";
  return indentation(line) == 0 && others.find(line.front()) == std::string_view::npos;
}

class Finder {
 public:
  explicit Finder(const std::vector<std::string>& lines) : lines_(lines) {}

  [[nodiscard]] Excerpt around(int line) const {
    int first = line;
    while (first > 1 && line - first < longest_function && !begins_function(at(first))) --first;
    if (!begins_function(at(first))) return limited(line - near, line + near);
    const std::size_t indented = indentation(at(first));
    int last = line;
    while (last < size() && last - line < longest_function && !ends(at(last), indented)) ++last;
    if (!ends(at(last), indented)) last = line + near;
    if (first > 1 && at(first - 1).find("template") != std::string::npos) --first;
    return limited(first, last);
  }

 private:
  [[nodiscard]] const std::string& at(int line) const { return lines_.at(static_cast<std::size_t>(line) - 1); }
  [[nodiscard]] int size() const { return static_cast<int>(lines_.size()); }
  [[nodiscard]] Excerpt limited(int first, int last) const { return {std::max(first, 1), std::min(last, size())}; }
  /// The closing brace of a function whose first line has this indentation.
  static bool ends(const std::string& line, std::size_t indented) {
    return !is_blank(line) && indentation(line) <= indented && line.find('}') != std::string::npos;
  }

  const std::vector<std::string>& lines_;
};

}  // namespace

std::vector<std::string> read_lines(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  std::size_t bytes = 0;
  for (std::string line; bytes < max_bytes && std::getline(file, line); bytes += line.size()) {
    if (line.ends_with('\r')) line.pop_back();
    lines.push_back(line);
  }
  return lines;
}

std::vector<Excerpt> excerpts_around(const std::vector<std::string>& lines, const std::set<int>& wanted) {
  const Finder finder(lines);
  std::vector<Excerpt> found;
  for (const int line : wanted) {
    if (line < 1 || static_cast<std::size_t>(line) > lines.size()) continue;
    const Excerpt next = finder.around(line);
    if (!found.empty() && next.first <= found.back().last + smallest_gap) {
      found.back().last = std::max(found.back().last, next.last);
      found.back().first = std::min(found.back().first, next.first);
    } else {
      found.push_back(next);
    }
  }
  return found;
}

}  // namespace d2l::emulator::report_page
