// SPDX-License-Identifier: MIT
#include "build/first_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <optional>
#include <vector>

#include "base/text.h"

namespace d2l::runner {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_line = 300;
constexpr std::size_t max_lines = 12;

std::vector<std::string> short_lines(const fs::path& log) {
  std::vector<std::string> lines;
  std::ifstream in(log);
  for (std::string line; std::getline(in, line);) lines.push_back(line.substr(0, longest_line));
  return lines;
}

bool contains(const std::string& line, const char* text) { return line.find(text) != std::string::npos; }

/// An error of a compiler, a linker or CMake, not of the tool that started it.
bool is_error(const std::string& line) {
  if (line.starts_with("collect2:") || line.starts_with("clang: error:") || line.starts_with("ninja:")) return false;
  return contains(line, " error: ") || contains(line, "undefined reference to") ||
         contains(line, "multiple definition of") || line.starts_with("CMake Error");
}

/// A message about a failure without its reason.
bool is_failure(const std::string& line) {
  return line.starts_with("FAILED:") || line.starts_with("ninja: error:") || contains(line, "Error ") ||
         contains(line, "error:");
}

/// The lines that belong to an error: "   12 |   code" and "      |   ^~~" of GCC, and what Clang and CMake indent.
bool continues_error(const std::string& line) { return line.empty() || line.front() == ' '; }

std::string relative(std::string line, const fs::path& root) {
  while (line.starts_with("../")) line.erase(0, 3);  // ccache makes paths relative to the build folder
  return replaced(line, root.string() + "/", "");
}

std::string coloured(const std::string& line) {
  const std::string word = contains(line, " warning: ") ? " warning: " : " error: ";
  const std::size_t at = line.find(word);
  if (at == std::string::npos) return line;
  return fmt::format("\033[1m{}\033[0m\033[1;31m{}\033[0m{}", line.substr(0, at), word, line.substr(at + word.size()));
}

/// A line as it is printed.
std::string shown(const std::string& line, const fs::path& root, bool colour) {
  const std::string text = relative(line, root);
  return "  " + (colour ? coloured(text) : text) + "\n";
}

/// What GCC and Clang write in the lines that lead to an error: of templates, constant expressions and macros.
constexpr std::array leading_words{"required from", "requested here",      "required by",
                                   "expansion of",  "expanded from macro", "in call to"};

/// The line that leads to an error at this place of a compiler's output. Templates of Thrust are many lines deep.
std::optional<std::string> leads_to(const std::vector<std::string>& lines, std::size_t error,
                                    const std::vector<std::string>& own_files) {
  constexpr std::size_t depth = 60;
  const auto is_own = [&](const std::string& line) {
    return std::any_of(own_files.begin(), own_files.end(),
                       [&](const std::string& file) { return contains(line, (file + ":").c_str()); });
  };
  if (is_own(lines[error])) return {};
  const auto leads = [&](const std::string& line) {
    return is_own(line) && std::ranges::any_of(leading_words, [&](const char* words) { return contains(line, words); });
  };
  // GCC writes it before the error, and Clang behind it.
  const auto place = lines.begin() + static_cast<std::ptrdiff_t>(error);
  const auto begin = place - static_cast<std::ptrdiff_t>(std::min(depth, error));
  const auto before = std::find_if(std::make_reverse_iterator(place), std::make_reverse_iterator(begin), leads);
  if (before != std::make_reverse_iterator(begin)) return *before;
  const auto end =
      std::find_if(place + 1, place + static_cast<std::ptrdiff_t>(std::min(depth, lines.size() - error)), is_error);
  const auto behind = std::find_if(place, end, leads);
  if (behind != end) return *behind;
  // No template and no macro: where the header is included.
  const auto includes = [&](const std::string& line) {
    return std::ranges::any_of(
        own_files, [&](const std::string& file) { return contains(line, (" from " + file + ":").c_str()); });
  };
  const auto included = std::find_if(std::make_reverse_iterator(place), std::make_reverse_iterator(begin), includes);
  return included == std::make_reverse_iterator(begin) ? std::nullopt : std::optional<std::string>(*included);
}

}  // namespace

std::string first_error(const fs::path& log, const fs::path& root, bool colour) {
  const std::vector<std::string> lines = short_lines(log);
  auto first = std::find_if(lines.begin(), lines.end(), is_error);
  const auto errors = std::count_if(lines.begin(), lines.end(), is_error);
  const bool found = first != lines.end();
  if (!found) first = std::find_if(lines.begin(), lines.end(), is_failure);
  if (first == lines.end()) first = lines.size() > max_lines ? lines.end() - max_lines : lines.begin();

  std::string text;
  const auto show = [&](const std::string& line) { text += shown(line, root, colour); };
  if (found) {
    const auto from = leads_to(lines, static_cast<std::size_t>(first - lines.begin()), {"exercise.cpp", "exercise.cu"});
    if (from) show(*from);
  }
  std::size_t count = 0;
  for (auto line = first; line != lines.end() && count < max_lines; ++line, ++count) {
    if (found && line != first && !continues_error(*line)) break;
    show(*line);
  }
  while (text.ends_with("\n  \n")) text.resize(text.size() - 3);
  if (errors > 1) text += fmt::format("  … and {} more error{}\n", errors - 1, errors == 2 ? "" : "s");
  return text;
}

std::optional<std::string> leading_line(const std::vector<std::string>& output,
                                        const std::vector<std::string>& own_files) {
  const auto error = std::find_if(output.begin(), output.end(), is_error);
  if (error == output.end()) return {};
  // What the compiler writes behind an error, such as all functions of the name, may move it out of sight.
  constexpr std::ptrdiff_t screen = 20;
  const bool is_far = output.end() - error > screen;
  const bool is_own = std::ranges::any_of(own_files, [&](const auto& file) { return error->starts_with(file + ":"); });
  if (is_own) return is_far ? std::optional<std::string>(*error) : std::nullopt;
  return leads_to(output, static_cast<std::size_t>(error - output.begin()), own_files);
}

std::string warnings(const fs::path& log, const fs::path& root, const std::string& folder, bool colour) {
  std::string text;
  std::size_t count = 0;
  bool belongs = false;
  for (const std::string& line : short_lines(log)) {
    const bool begins = contains(line, " warning: ");
    belongs = begins ? contains(line, (folder + "/").c_str()) : belongs && continues_error(line);
    if (belongs && ++count <= 2 * max_lines) text += shown(line, root, colour);
  }
  return text;
}

std::string outside_cause(const fs::path& log, const std::string& target) {
  bool in_target = false;
  for (const std::string& line : short_lines(log)) {
    if (contains(line, "No space left on device") || contains(line, "Disk quota exceeded")) return "the disk is full";
    if (contains(line, "Killed signal terminated program") || contains(line, "out of memory")) {
      return "the memory of this machine was not enough for the compiler";
    }
    const bool names_part = line.starts_with("FAILED:") || contains(line, "***");
    in_target = in_target || (names_part && contains(line, target.c_str()));
  }
  return in_target ? "" : "the check or the library cannot be compiled";
}

}  // namespace d2l::runner
