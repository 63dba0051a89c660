// SPDX-License-Identifier: MIT
// The source file of a lesson, split into cells.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace d2l::detail {

/// The lines from one `// %%` to the next: prose in Markdown, then code, which a comment `///` may begin.
struct LessonCell {
  int line = 0;       ///< of the `// %%`, from 1
  int last_line = 0;  ///< the last line of the cell
  std::string title;  ///< the first heading of the prose, or empty
  std::vector<std::string> prose;
  std::vector<std::string> code;  ///< without the common indentation
};

/// The cells of a lesson's text; lines before the first `// %%` are ignored.
std::vector<LessonCell> cells_of(const std::string& source);
/// The cells of a file; nullopt if it cannot be read.
std::optional<std::vector<LessonCell>> read_cells(const std::string& path);
/// The section number in the chapter.json beside a source, such as "1.2.2"; without one, the name of the file.
std::string section_of(const std::string& path);

}  // namespace d2l::detail
