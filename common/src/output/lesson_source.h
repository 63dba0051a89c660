// SPDX-License-Identifier: MIT
// The source file of a lesson, as the cells that it is made of.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace d2l::detail {

/// From one `// %%` to the next: prose in Markdown, then code.
struct LessonCell {
  int line = 0;       ///< of the `// %%`, from 1
  int last_line = 0;  ///< the last before the next cell
  std::string title;  ///< the first heading of the prose; empty when it has none
  std::vector<std::string> prose;
  std::vector<std::string> code;  ///< without the indentation that all of its lines share
};

/// The cells of a lesson's text; what stands before the first `// %%` belongs to none.
std::vector<LessonCell> cells_of(const std::string& source);
/// The cells of a file; nullopt when it cannot be read.
std::optional<std::vector<LessonCell>> read_cells(const std::string& path);
/// The number that the chapter.json beside a source gives it, "1.2.2"; without one the file's name.
std::string section_of(const std::string& path);

}  // namespace d2l::detail
