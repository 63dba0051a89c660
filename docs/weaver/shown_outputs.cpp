// SPDX-License-Identifier: MIT
#include "shown_outputs.h"

#include <fmt/format.h>

#include <regex>

#include "base/files.h"
#include "course/course.h"
#include "text.h"

namespace d2l::weaver {

namespace {

namespace fs = std::filesystem;

constexpr int skipped = 77;

/// What stands between two marks, from a position on, which moves behind them; nothing when they are not there.
bool between(const std::string& text, std::string_view open, std::string_view close, std::size_t& at,
             std::string& found) {
  const auto begin = text.find(open, at);
  if (begin == std::string::npos) return false;
  const auto end = text.find(close, begin + open.size());
  if (end == std::string::npos) return false;
  found = text.substr(begin + open.size(), end - begin - open.size());
  at = end + close.size();
  return true;
}

std::string one(const std::string& text, std::string_view open, std::string_view close) {
  std::size_t at = 0;
  std::string found;
  between(text, open, close, at, found);
  return found;
}

void add_block(const std::string& text, std::vector<std::string>& lines) {
  auto parts = lines_of(text);
  if (parts.empty()) parts.emplace_back();
  char mark = '>';
  for (const auto& part : parts) {
    lines.push_back(fmt::format("{}{}{}", mark, part.empty() ? "" : " ", part));
    mark = '|';
  }
}

/// A picture without what the weaver gave it: a role, a description, and a prefix of its ids.
std::string as_captured(const std::string& svg, const std::string& alternative, const std::string& prefix) {
  auto text = svg;
  for (const auto& added : {fmt::format(" aria-label=\"{}\"", html(alternative)), std::string(" role=\"img\"")}) {
    const auto at = text.find("<svg" + added);
    if (at != std::string::npos) text.erase(at + 4, added.size());
  }
  return prefix.empty() ? text : replaced(text, prefix + "-", "");
}

/// Outputs within one panel, or within the one block of all configurations.
std::vector<std::string> outputs_in(const std::string& panel, const std::string& prefix) {
  static const std::regex begins(
      R"re(<pre class="d2l-output">|<div class="d2l-measured">|<figure class="d2l-figure">)re");
  std::vector<std::string> lines;
  std::size_t at = 0;
  int pictures = 0;
  for (std::smatch match;
       std::regex_search(panel.begin() + static_cast<std::ptrdiff_t>(at), panel.end(), match, begins);) {
    const auto open = match.str();
    std::string found;
    if (open.starts_with("<pre")) {
      between(panel, open, "</pre>", at, found);
      if (found.starts_with('\n')) found.erase(0, 1);  // as a browser does
      add_block(text_of_html(found), lines);
    } else if (open.starts_with("<div")) {
      between(panel, open, "</div>", at, found);
      lines.push_back(fmt::format("[measured: {}]", text_of_html(one(found, "<span class=\"d2l-label\">", "</span>"))));
    } else {
      between(panel, open, "</figure>", at, found);
      const auto alternative = text_of_html(one(found, "<figcaption>", "</figcaption>"));
      lines.push_back(fmt::format("[picture: {}]", alternative));
      const auto svg = unshielded(found.substr(0, found.find("<figcaption>")));
      add_block(as_captured(svg, alternative, fmt::format("{}-picture{}", prefix, ++pictures)), lines);
    }
  }
  return lines;
}

/// A page's part for a cell, from its mark to the next cell's.
std::vector<std::string> outputs_of_part(const std::string& part, const std::string& cell,
                                         const std::string& configuration) {
  if (part.find("role=\"tabpanel\"") == std::string::npos) return outputs_in(part, "cell" + cell);
  const auto id = fmt::format("cell{}-{}", cell, configuration);
  const auto begin = part.find(fmt::format("<div role=\"tabpanel\" id=\"{}-panel\"", id));
  if (begin == std::string::npos) return {fmt::format("no tab for {}", configuration)};
  const auto end = part.find("<div role=\"tabpanel\"", begin + 1);
  return outputs_in(part.substr(begin, end - begin), id);
}

std::string difference(const ShownCells& expected, const ShownCells& shown) {
  for (std::size_t cell = 0; cell < std::max(expected.size(), shown.size()); ++cell) {
    const auto none = std::vector<std::string>{"(no such cell)"};
    const auto& wanted = cell < expected.size() ? expected[cell] : none;
    const auto& there = cell < shown.size() ? shown[cell] : none;
    for (std::size_t line = 0; line < std::max(wanted.size(), there.size()); ++line) {
      const auto a = line < wanted.size() ? wanted[line] : "(nothing)";
      const auto b = line < there.size() ? there[line] : "(nothing)";
      if (a != b) return fmt::format("cell {}, line {}:\n  reference  {}\n  page       {}\n", cell + 1, line + 1, a, b);
    }
  }
  return "";
}

}  // namespace

ShownCells shown_in_reference(const std::string& text) {
  ShownCells cells;
  static const std::regex cell(R"(^cell \d+(:.*)?$)");
  static const std::regex measured(R"(^\[measured: (.*): [^:]+\]$|^\[measured: [^:]+\]$)");
  for (const auto& line : lines_of(text)) {
    std::smatch match;
    if (std::regex_match(line, cell)) {
      cells.emplace_back();
    } else if (!cells.empty() && !line.empty()) {
      const bool value = std::regex_match(line, match, measured);
      cells.back().push_back(value ? fmt::format("[measured: {}]", match[1].str()) : line);
    }
  }
  return cells;
}

ShownCells shown_on_page(const std::string& page, const std::string& configuration) {
  static const std::regex mark(R"re(<div class="d2l-(?:tabs|outputs)" data-cell="(\d+)">)re");
  ShownCells cells;
  const std::sregex_iterator end;
  for (std::sregex_iterator at(page.begin(), page.end(), mark); at != end; ++at) {
    const auto begin = static_cast<std::size_t>(at->position());
    auto next = std::next(at);
    const auto stop = next == end ? page.find("d2l-provenance", begin) : static_cast<std::size_t>(next->position());
    auto lines = outputs_of_part(page.substr(begin, stop - begin), (*at)[1], configuration);
    if (!lines.empty()) cells.push_back(std::move(lines));
  }
  return cells;
}

int compare_site(const fs::path& root, const fs::path& site) {
  if (!fs::exists(site / "index.html")) {
    fmt::print("Skipped: there is no site in {}; ./learn docs makes it\n", site.string());
    return skipped;
  }
  int compared = 0;
  int wrong = 0;
  for (const auto& lesson : runner::find_lessons(root)) {
    const auto page = runner::read_file(site / (lesson.target() + ".html"));
    for (const std::string configuration : {"none", "virtual1", "virtual2", "virtual4"}) {
      const auto reference =
          lesson.source.parent_path() / "expected" / fmt::format("{}.{}.txt", lesson.name, configuration);
      const auto differing =
          difference(shown_in_reference(runner::read_file(reference)), shown_on_page(page, configuration));
      ++compared;
      if (differing.empty()) continue;
      ++wrong;
      fmt::print("{}.html does not show what {} holds: {}", lesson.target(), reference.string(), differing);
    }
  }
  fmt::print("{} outputs of lessons compared, {} differ\n", compared, wrong);
  if (wrong > 0) fmt::print("If the site is older than the lessons, make it anew: ./learn docs\n");
  return compared > 0 && wrong == 0 ? 0 : 1;
}

}  // namespace d2l::weaver
