// SPDX-License-Identifier: MIT
#include "course/exercises.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"

namespace d2l::runner {
namespace {

namespace fs = std::filesystem;

std::string listed(const std::vector<Exercise>& exercises) {
  std::string text;
  for (const Exercise& exercise : exercises) {
    text += fmt::format("  {:<7} {}  ({})\n", exercise.number, exercise.title, exercise.name);
  }
  return text;
}

bool is_number(const std::string& wanted) {
  return !wanted.empty() && wanted.find_first_not_of("0123456789.") == std::string::npos;
}

/// Whether a path names the exercise's folder or something in it.
bool is_path_into(const std::string& wanted, const Exercise& exercise) {
  const fs::path path(wanted);
  return std::any_of(path.begin(), path.end(), [&](const fs::path& part) { return part == exercise.name; });
}

using Means = bool (*)(const std::string&, const Exercise&);
// From the most exact to the least; the first that matches any exercise is used.
constexpr Means meanings[] = {
    [](const std::string& wanted, const Exercise& exercise) {
      return wanted == exercise.number || wanted == exercise.name || wanted == exercise.key();
    },
    is_path_into,
    [](const std::string& wanted, const Exercise& exercise) { return wanted == exercise.chapter; },
    [](const std::string& wanted, const Exercise& exercise) {
      return is_number(wanted) && exercise.number.starts_with(wanted + ".");
    },
    [](const std::string& wanted, const Exercise& exercise) {
      return !is_number(wanted) && wanted.size() > 1 && exercise.name.find(wanted) != std::string::npos;
    },
};

}  // namespace

std::vector<Exercise> select(const std::vector<Exercise>& exercises, const std::string& wanted) {
  if (exercises.empty()) throw Stop(failed, "There are no exercises yet in the folder exercises.");
  if (wanted.empty()) return exercises;
  for (const Means means : meanings) {
    std::vector<Exercise> chosen;
    std::copy_if(exercises.begin(), exercises.end(), std::back_inserter(chosen),
                 [&](const Exercise& exercise) { return means(wanted, exercise); });
    if (!chosen.empty()) return chosen;
  }
  throw Stop(wrong_usage,
             fmt::format("There is no exercise \"{}\". There are:\n{}To name an exercise, use its number, its "
                         "folder or a part of the folder.",
                         wanted, listed(exercises)));
}

const Exercise& select_one(const std::vector<Exercise>& exercises, const std::string& wanted) {
  const std::vector<Exercise> chosen = select(exercises, wanted);
  if (chosen.size() > 1) {
    throw Stop(wrong_usage, fmt::format("\"{}\" matches several exercises; say which:\n{}", wanted, listed(chosen)));
  }
  return *std::find_if(exercises.begin(), exercises.end(),
                       [&](const Exercise& exercise) { return exercise.folder == chosen.front().folder; });
}

void ensure_source(const Exercise& exercise) {
  if (fs::exists(exercise.source())) return;
  write_file(exercise.source(), read_file(exercise.stub()));
}

std::string statement(const Exercise& exercise) {
  std::string text;
  bool titled = false;
  for (std::string line : lines_of(read_file(exercise.folder / "exercise.h"))) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (!titled) {
      titled = line.starts_with("// # ");
      continue;
    }
    if (!line.starts_with("//")) break;
    line.erase(0, 3);
    if (!text.empty() || !line.empty()) text += line + "\n";
  }
  return text;
}

}  // namespace d2l::runner
