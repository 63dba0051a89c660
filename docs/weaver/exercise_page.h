// SPDX-License-Identifier: MIT
// The page of an exercise, and the page of its solution.
#pragma once

#include "book.h"

namespace d2l::weaver {

/// Statement, declaration, how it is checked, hints, and the way to the solution if the tree has it.
Page exercise_page(const Book& book, const runner::Exercise& exercise);
/// How it was done, and why. The tree must have it.
Page solution_page(const Book& book, const runner::Exercise& exercise);

}  // namespace d2l::weaver
