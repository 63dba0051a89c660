// SPDX-License-Identifier: MIT
#include "base/terminal_markdown.h"

#include <algorithm>

#include "base/terminal_text.h"

namespace d2l::detail {
namespace {

/// Whether a line of Markdown begins a block of its own, to which the lines after it belong.
bool begins_block(std::string_view line) {
  const std::size_t first = line.find_first_not_of(' ');
  if (first == std::string_view::npos || first >= 4) return true;
  const std::string_view text = line.substr(first);
  const std::size_t digits = text.find_first_not_of("0123456789");
  return text.starts_with("- ") || text.starts_with("* ") || text.front() == '#' || text.front() == '|' ||
         (digits != 0 && digits != std::string_view::npos && text.substr(digits).starts_with(". "));
}

/// `*word*` and `**word**` between codes; code in backticks stays as it is.
std::string emphasised(std::string_view text, std::string_view begin, std::string_view end) {
  std::string out;
  bool code = false;
  bool open = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    code = code != (text[at] == '`');
    const std::size_t stars = code || text[at] != '*' ? 0 : text.substr(at).starts_with("**") ? 2 : 1;
    const auto is_space = [&](std::size_t place) { return place >= text.size() || text[place] == ' '; };
    const bool mark = stars != 0 && (open ? at > 0 && !is_space(at - 1) : !is_space(at + stars));
    if (!mark || (!open && text.find('*', at + stars) == std::string_view::npos)) {
      out += text[at];
      continue;
    }
    open = !open;
    out += open ? begin : end;
    at += stars - 1;
  }
  return out;
}

using Row = std::vector<std::string>;

/// The cells of a row of a table; a bar in code, or after a backslash, is text.
Row cells_of_row(std::string_view line) {
  Row cells(1);
  bool code = false;
  for (std::size_t at = line.find('|') + 1; at < line.size(); ++at) {
    code = code != (line[at] == '`');
    if (line.substr(at).starts_with("\\|")) {
      cells.back() += line[++at];
    } else if (line[at] == '|' && !code) {
      cells.emplace_back();
    } else {
      cells.back() += line[at];
    }
  }
  for (std::string& cell : cells) {
    cell.erase(cell.find_last_not_of(' ') + 1);
    cell.erase(0, cell.find_first_not_of(' '));
  }
  if (cells.back().empty()) cells.pop_back();  // after the last bar
  return cells;
}

bool separates_header(const Row& row) {
  return std::all_of(row.begin(), row.end(), [](const std::string& cell) {
    return cell.find('-') != std::string::npos && cell.find_first_not_of("-: ") == std::string::npos;
  });
}

/// The lines of a text.
Row lines_of_text(const std::string& text) {
  Row lines;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

constexpr int gap = 2;  // between two columns

/// The widths of the columns of a table. The widest one is made narrower until all fit.
std::vector<int> widths_of(const std::vector<Row>& rows, int width) {
  constexpr int least = 8;
  std::vector<int> widths;
  for (const Row& row : rows) {
    if (separates_header(row)) continue;
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], columns_of(row[i]));
  }
  int total = gap * (static_cast<int>(widths.size()) - 1);
  for (const int one : widths) total += one;
  for (; total > width; --total) {
    int& widest = *std::max_element(widths.begin(), widths.end());
    if (widest <= least) break;
    --widest;
  }
  return widths;
}

std::string row_of_table(const Row& row, const std::vector<int>& widths) {
  std::vector<Row> columns;
  std::size_t height = 1;
  for (std::size_t i = 0; i < row.size(); ++i) {
    columns.push_back(lines_of_text(wrapped(row[i], widths[i])));
    height = std::max(height, columns.back().size());
  }
  std::string out;
  for (std::size_t y = 0; y < height; ++y) {
    std::string line;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const std::string text = y < columns[i].size() ? columns[i][y] : "";
      line += text;
      line.append(static_cast<std::size_t>(std::max(widths[i] - columns_of(text), 0)), ' ').append(gap, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

/// A table, with a line below its header.
std::string table_text(const std::vector<Row>& rows, int width) {
  const std::vector<int> widths = widths_of(rows, width);
  std::string out;
  for (const Row& row : rows) {
    if (!separates_header(row)) {
      out += row_of_table(row, widths);
      continue;
    }
    Row rule;
    for (const int one : widths) rule.emplace_back(static_cast<std::size_t>(one), '-');
    out += row_of_table(rule, widths);
  }
  return out;
}

}  // namespace

std::string terminal_markdown(const std::vector<std::string>& markdown, int width, std::string_view begin,
                              std::string_view end) {
  std::string out;
  std::string block;
  std::vector<Row> rows;
  bool code = false;
  const auto finish = [&] {
    if (!block.empty()) out += wrapped(emphasised(block, begin, end), width) + "\n";
    if (!rows.empty()) out += table_text(rows, width);
    block.clear();
    rows.clear();
  };
  for (const std::string& line : markdown) {
    const std::size_t first = line.find_first_not_of(' ');
    if (first != std::string::npos && line.substr(first).starts_with("```")) {
      finish();
      code = !code;
    } else if (code) {
      out += (line.empty() ? "" : "    ") + line + "\n";
    } else if (first == std::string::npos || first >= 4) {
      finish();
      out += line + "\n";
    } else if (line[first] == '|') {
      if (!block.empty()) finish();
      Row row = cells_of_row(line);
      for (std::string& cell : row) cell = emphasised(cell, begin, end);
      rows.push_back(std::move(row));
    } else {
      if (!rows.empty() || begins_block(line)) finish();
      block += block.empty() ? line : " " + line.substr(first);
    }
  }
  finish();
  return out;
}

}  // namespace d2l::detail
