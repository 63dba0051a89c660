// SPDX-License-Identifier: MIT
// Splits the source of a lesson into cells: `// %%`, then lines of prose, then code.
#include "output/lesson_source.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>

namespace d2l::detail {

namespace {

std::string_view without_indentation(std::string_view line) {
  const auto first = line.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string_view{} : line.substr(first);
}

std::string_view without_trailing_space(std::string_view line) {
  const auto last = line.find_last_not_of(" \t\r");
  return last == std::string_view::npos ? std::string_view{} : line.substr(0, last + 1);
}

bool begins_cell(std::string_view line) {
  const auto text = without_indentation(line);
  return text == "// %%" || text.starts_with("// %% ");
}

// A documentation comment, `///`, belongs to the code below it.
std::optional<std::string> prose_in(std::string_view line) {
  const auto text = without_indentation(line);
  if (!text.starts_with("//") || text.starts_with("///")) return std::nullopt;
  const auto words = text.substr(2);
  return std::string(words.starts_with(' ') ? words.substr(1) : words);
}

std::string heading_in(const std::vector<std::string>& prose) {
  for (const auto& line : prose) {
    if (!line.starts_with('#')) continue;
    const auto words = line.find_first_not_of("# ");
    return words == std::string::npos ? "" : line.substr(words);
  }
  return "";
}

void trim_blank_lines(std::vector<std::string>& lines) {
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  lines.erase(lines.begin(), std::ranges::find_if(lines, [](const std::string& line) { return !line.empty(); }));
}

void remove_shared_indentation(std::vector<std::string>& lines) {
  auto shared = std::string::npos;
  for (const auto& line : lines) {
    if (!line.empty()) shared = std::min(shared, line.find_first_not_of(' '));
  }
  for (auto& line : lines) line.erase(0, std::min(shared, line.size()));
}

LessonCell cell_from(const std::vector<std::string>& lines, std::size_t begin, std::size_t end) {
  LessonCell cell;
  cell.line = static_cast<int>(begin) + 1;
  cell.last_line = static_cast<int>(end);
  auto at = begin + 1;
  for (; at < end; ++at) {
    const auto prose = prose_in(lines[at]);
    if (!prose) break;
    cell.prose.push_back(*prose);
  }
  cell.code.assign(lines.begin() + static_cast<std::ptrdiff_t>(at), lines.begin() + static_cast<std::ptrdiff_t>(end));
  trim_blank_lines(cell.prose);
  trim_blank_lines(cell.code);
  remove_shared_indentation(cell.code);
  cell.title = heading_in(cell.prose);
  return cell;
}

// __FILE__ may be relative to the build folder (a compiler cache does that), so a relative path is looked up from the
// program's folder upwards.
std::filesystem::path find_source(const std::filesystem::path& named) {
  if (named.is_absolute()) return named;
  std::error_code unknown;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", unknown);
  for (auto folder = program.parent_path(); folder.has_relative_path(); folder = folder.parent_path()) {
    if (std::filesystem::is_regular_file(folder / named, unknown)) return folder / named;
  }
  return named;
}

}  // namespace

std::vector<LessonCell> cells_of(const std::string& source) {
  std::vector<std::string> lines;
  std::istringstream text(source);
  for (std::string line; std::getline(text, line);) lines.emplace_back(without_trailing_space(line));

  std::vector<std::size_t> begins;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (begins_cell(lines[i])) begins.push_back(i);
  }
  std::vector<LessonCell> cells;
  for (std::size_t i = 0; i < begins.size(); ++i) {
    cells.push_back(cell_from(lines, begins[i], i + 1 < begins.size() ? begins[i + 1] : lines.size()));
  }
  return cells;
}

std::optional<std::vector<LessonCell>> read_cells(const std::string& path) {
  std::ifstream file(find_source(path), std::ios::binary);
  if (!file) return std::nullopt;
  std::ostringstream text;
  text << file.rdbuf();
  return cells_of(text.str());
}

std::string section_of(const std::string& path) {
  const auto source = find_source(path);
  std::ifstream description(source.parent_path() / "chapter.json");
  const auto json = nlohmann::json::parse(description, nullptr, false);
  if (json.is_object()) {
    for (const auto& section : json.value("sections", nlohmann::json::array())) {
      if (section.value("file", "") == source.filename()) return section.value("number", "");
    }
  }
  return source.stem().string();
}

}  // namespace d2l::detail
