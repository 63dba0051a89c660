// SPDX-License-Identifier: MIT
// The parts of a source file that a report shows: the functions around the lines that have counts.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace d2l::emulator::report_page {

/// The lines of a file; none if it cannot be read.
std::vector<std::string> read_lines(const std::string& path);

/// Lines from `first` to `last`, counted from 1.
struct Excerpt {
  int first;
  int last;
};
/// The functions around these lines, as far as the indentation shows where they begin and end.
std::vector<Excerpt> excerpts_around(const std::vector<std::string>& lines, const std::set<int>& wanted);

}  // namespace d2l::emulator::report_page
