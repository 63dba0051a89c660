// SPDX-License-Identifier: MIT
#include "base/terminal_text.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

namespace d2l::detail {
namespace {

constexpr int usual_width = 80;
constexpr int min_width = 20;

/// The column below which the further lines of a line begin.
std::size_t hanging_indent(std::string_view line, int width) {
  std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
  const std::string_view text = line.substr(indent);
  if (text.starts_with("- ") || text.starts_with("* ")) return indent + 2;
  std::size_t hang = indent;
  for (std::size_t at = 0; (at = text.find("  ", at)) != std::string_view::npos;) {
    at = text.find_first_not_of(' ', at);
    if (at == std::string_view::npos) break;
    const auto column = indent + static_cast<std::size_t>(columns_of(text.substr(0, at)));
    if (column > static_cast<std::size_t>(width) / 2) break;
    hang = column;
  }
  return hang;
}

void wrap_line(std::string_view line, int width, std::string& out) {
  const std::string indent(hanging_indent(line, width), ' ');
  std::string row;  // what is printed so far of the last line
  std::size_t at = 0;
  while (at < line.size()) {
    const std::size_t begin = line.find_first_not_of(' ', at);
    if (begin == std::string_view::npos) break;
    const std::size_t end = std::min(line.find(' ', begin), line.size());
    const std::string_view with_spaces = line.substr(at, end - at);
    if (columns_of(row) > static_cast<int>(indent.size()) && columns_of(row) + columns_of(with_spaces) > width) {
      out.append(row).append("\n");
      row = indent;
      row.append(line.substr(begin, end - begin));
    } else {
      row.append(with_spaces);
    }
    at = end;
  }
  out.append(row);
}

}  // namespace

std::string for_standard_error(std::string_view text) {
  return ::isatty(STDERR_FILENO) == 0 ? std::string(text) : wrapped(text, terminal_width(STDERR_FILENO));
}

int terminal_width(int file) {
  winsize size{};
  if (::isatty(file) == 0 || ::ioctl(file, TIOCGWINSZ, &size) != 0) return usual_width;
  return size.ws_col == 0 ? usual_width : std::max<int>(size.ws_col, min_width);
}

int columns_of(std::string_view text) {
  int columns = 0;
  bool escape = false;
  for (const char byte : text) {
    if (byte == '\033') escape = true;
    const bool continues = (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;  // of a character in UTF-8
    columns += escape || continues ? 0 : 1;
    if (byte == 'm') escape = false;
  }
  return columns;
}

std::string wrapped(std::string_view text, int width) {
  std::string out;
  for (bool first = true; first || !text.empty(); first = false) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    wrap_line(text.substr(0, end), width, out);
    if (end < text.size()) out += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string table(const std::vector<std::vector<std::string>>& rows, int width) {
  std::vector<int> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], columns_of(row[i]));
  }
  const auto total = [&] {
    int sum = -2;
    for (const int one : widths) sum += one + 2;
    return sum;
  };
  while (widths.size() > 2 && total() > width) widths.pop_back();
  std::string out;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < std::min(row.size(), widths.size()); ++i) {
      line += row[i];
      line.append(static_cast<std::size_t>(widths[i] - columns_of(row[i])) + 2, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += wrapped(line, width) + "\n";
  }
  return out;
}

}  // namespace d2l::detail
