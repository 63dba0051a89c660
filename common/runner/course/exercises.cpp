// SPDX-License-Identifier: MIT
// Finds the exercises in their folders, and those that a user means.
#include "course/exercises.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "base/error.h"

namespace d2l::runner {
namespace {

namespace fs = std::filesystem;

/// The numbers that a text is made of: {1, 2, 1} of "1.2.1", {2, 1} of "2_1_storage".
std::vector<int> numbers_of(const std::string& text) {
  std::vector<int> numbers;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of("._", at), text.size());
    const std::string part = text.substr(at, end - at);
    if (part.empty() || part.size() > 5 || part.find_first_not_of("0123456789") != std::string::npos) break;
    numbers.push_back(std::stoi(part));
    at = end + 1;
  }
  return numbers;
}

/// "1.2.1" for section_2_1_… in chapter 1, "1.5.3" for 3_…; empty for a folder that is no exercise.
std::string number_of(const std::string& chapter, const std::string& name) {
  const std::string section = "section_";
  const bool of_section = name.starts_with(section);
  const std::vector<int> chapters = numbers_of(chapter);
  const std::vector<int> own = numbers_of(of_section ? name.substr(section.size()) : name);
  if (chapters.empty() || own.empty()) return {};
  std::string number = std::to_string(chapters.front()) + (of_section ? "" : ".5");
  for (const int part : own) number += "." + std::to_string(part);
  return number;
}

/// Calls `read` with each line of the comment below the title of exercise.h, without its signs; gives the title.
template <class Read>
std::string read_statement(const fs::path& header, const Read& read) {
  std::ifstream in(header);
  std::string title;
  for (std::string line; std::getline(in, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (title.empty() && line.starts_with("// # ")) {
      title = line.substr(5);
    } else if (!title.empty()) {
      if (!line.starts_with("//")) break;
      read(line.size() > 3 ? line.substr(3) : "");
    }
  }
  return title;
}

void add_chapter(const fs::path& folder, std::vector<Exercise>& exercises) {
  const std::string chapter = folder.filename().string();
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    const fs::path header = entry.path() / "exercise.h";
    const std::string number = number_of(chapter, name);
    if (number.empty() || !fs::exists(header)) continue;
    const std::string title = read_statement(header, [](const std::string&) {});
    exercises.push_back({chapter, name, number, title.empty() ? name : title, entry.path()});
  }
}

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
// From the exact to the vague; the first that names anything decides.
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

std::vector<Exercise> find_exercises(const fs::path& root) {
  std::vector<Exercise> exercises;
  std::error_code problem;
  for (const auto& entry : fs::directory_iterator(root / "exercises", problem)) {
    if (entry.is_directory()) add_chapter(entry.path(), exercises);
  }
  if (problem) throw Stop(failed, fmt::format("{}: {}", (root / "exercises").string(), problem.message()));
  std::sort(exercises.begin(), exercises.end(), [](const Exercise& a, const Exercise& b) {
    return a.number == b.number ? a.name < b.name : comes_before(a.number, b.number);
  });
  return exercises;
}

bool comes_before(const std::string& a, const std::string& b) { return numbers_of(a) < numbers_of(b); }

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
             fmt::format("There is no exercise \"{}\". There are:\n{}An exercise is meant by its number, or "
                         "by its folder or a part of that.",
                         wanted, listed(exercises)));
}

const Exercise& select_one(const std::vector<Exercise>& exercises, const std::string& wanted) {
  const std::vector<Exercise> chosen = select(exercises, wanted);
  if (chosen.size() > 1) {
    throw Stop(wrong_usage, fmt::format("\"{}\" may mean any of these; say which:\n{}", wanted, listed(chosen)));
  }
  return *std::find_if(exercises.begin(), exercises.end(),
                       [&](const Exercise& exercise) { return exercise.folder == chosen.front().folder; });
}

std::string statement(const Exercise& exercise) {
  std::string text;
  read_statement(exercise.folder / "exercise.h", [&](const std::string& line) {
    if (!text.empty() || !line.empty()) text += line + "\n";
  });
  return text;
}

}  // namespace d2l::runner
