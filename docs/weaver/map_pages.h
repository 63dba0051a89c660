// SPDX-License-Identifier: MIT
// The course map, the page of a chapter, and the pages written by hand.
#pragma once

#include "book.h"

namespace d2l::weaver {

/// What is woven into a page by hand where this line stands.
inline constexpr const char* course_map_line = "<!-- course map -->";

/// Every chapter with its sections and exercises, as Doxygen's Markdown.
std::string course_map(const Book& book);
/// A chapter's sections and exercises, and their places in the tree.
Page chapter_page(const Book& book, const runner::Chapter& chapter);
/// A page by hand, with its file's name as its id and the course map in its place.
std::string hand_written(const Book& book, const std::filesystem::path& file);

}  // namespace d2l::weaver
