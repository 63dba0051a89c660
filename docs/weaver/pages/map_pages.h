// SPDX-License-Identifier: MIT
// The course map, the page of a chapter, and the handwritten pages.
#pragma once

#include "pages/book.h"

namespace d2l::weaver {

/// The line of a handwritten page that the course map replaces.
inline constexpr const char* course_map_line = "<!-- course map -->";

/// Every chapter with its sections and exercises, as Doxygen's Markdown.
std::string course_map(const Book& book);
/// The sections and exercises of a chapter, with their places in the tree.
Page chapter_page(const Book& book, const runner::Chapter& chapter);
/// A handwritten page: its id is its file's name, and the course map is inserted.
std::string hand_written(const Book& book, const std::filesystem::path& file);

}  // namespace d2l::weaver
