// SPDX-License-Identifier: MIT
// The hints of an exercise: the sections of its hint.md.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "course/exercises.h"

namespace d2l::runner {

/// A section "## 2. The list that stays empty".
struct Hint {
  std::string title;
  std::string text;
};

/// The hints of a file, in order; Stop when it has none.
std::vector<Hint> read_hints(const std::filesystem::path& file);

/// Prints a hint and records it as read: hint `number`, or the next one for 0. With `keys` it names the key h of watch
/// instead of the command. Stop when there is no such hint.
void show_hint(const Exercise& exercise, int number = 0, bool keys = false);

}  // namespace d2l::runner
