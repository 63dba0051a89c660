// SPDX-License-Identifier: MIT
// Text for a terminal of some width. ./learn compiles this file too.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace d2l::detail {

/// The columns of the terminal that is the standard output, or another file; 80 if it is none.
int terminal_width(int file = 1);
/// The columns that a text takes: characters, without escape codes.
int columns_of(std::string_view text);

/// `text` with line ends where words would pass column `width`. The further lines of a line begin below its text: after
/// its spaces, its "- ", or its first columns, which two spaces separate. A longer word stays whole.
std::string wrapped(std::string_view text, int width);
/// `text`, wrapped if the standard error is a terminal.
std::string for_standard_error(std::string_view text);
/// Rows of the same number of columns; without the last columns where `width` is too small for them.
std::string table(const std::vector<std::vector<std::string>>& rows, int width);

}  // namespace d2l::detail
