// SPDX-License-Identifier: MIT
// The page of a lesson: its prose, its code, and the outputs of each cell.
#pragma once

#include "outputs/captures.h"
#include "pages/book.h"

namespace d2l::weaver {

Page lesson_page(const Book& book, const runner::Lesson& lesson, const std::string& source,
                 const std::vector<Capture>& captures);

}  // namespace d2l::weaver
