// SPDX-License-Identifier: MIT
// The page of an exercise, and the page of its solution.
#pragma once

#include "pages/book.h"

namespace d2l::weaver {

/// Statement, declaration, check, hints, and a link to the solution if the tree has one.
Page exercise_page(const Book& book, const runner::Exercise& exercise);
/// The solution with its explanation; the tree must have one.
Page solution_page(const Book& book, const runner::Exercise& exercise);

}  // namespace d2l::weaver
