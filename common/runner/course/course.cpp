// SPDX-License-Identifier: MIT
// Finds the lessons in their folders, and the one that a user means.
#include "course/course.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <tuple>

#include "base/error.h"

namespace d2l::runner {
namespace {

namespace fs = std::filesystem;

bool is_number(const std::string& text) {
  return !text.empty() && text.size() < 6 && text.find_first_not_of("0123456789") == std::string::npos;
}

/// The leading numbers of a name: {2, 2} of "2_2_copying".
std::vector<int> leading_numbers(const std::string& name) {
  std::vector<int> numbers;
  for (std::size_t begin = 0; begin < name.size();) {
    const std::size_t end = std::min(name.find('_', begin), name.size());
    const std::string part = name.substr(begin, end - begin);
    if (!is_number(part)) break;
    numbers.push_back(std::stoi(part));
    begin = end + 1;
  }
  return numbers;
}

std::string dotted(const std::string& first, const std::vector<int>& rest) {
  std::string text = first;
  for (const int number : rest) text += fmt::format(".{}", number);
  return text;
}

std::string title_of(const fs::path& source) {
  const std::string heading = "// # ";
  std::ifstream in(source);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with(heading)) return line.substr(heading.size());
  }
  return source.stem().string();
}

/// What chapter.json says of a chapter; nothing when there is no such file.
struct Chapter {
  std::vector<std::string> editions;          ///< its number in each edition of the book
  std::map<std::string, std::string> within;  ///< lessons without a number in the book, and the section they are from
};

Chapter read_chapter(const fs::path& chapter) {
  std::ifstream in(chapter / "chapter.json");
  if (!in) return {};
  try {
    const auto json = nlohmann::json::parse(in);
    return {json.at("book").get<std::vector<std::string>>(),
            json.value("within", std::map<std::string, std::string>())};
  } catch (const nlohmann::json::exception& problem) {
    throw Stop(failed,
               fmt::format("{} is not what it should be: {}", (chapter / "chapter.json").string(), problem.what()));
  }
}

void add_chapter(const fs::path& folder, std::vector<Lesson>& lessons) {
  const std::vector<int> chapter = leading_numbers(folder.filename().string());
  if (chapter.empty()) return;
  const auto [editions, within] = read_chapter(folder);
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".cpp") continue;
    const std::string name = entry.path().stem().string();
    const std::vector<int> section = leading_numbers(name);
    std::vector<std::string> book;
    for (const auto& edition : editions) book.push_back(dotted(edition, section));
    const auto part = within.find(name);
    lessons.push_back({folder.filename().string(), name, dotted(std::to_string(chapter.front()), section), book,
                       part == within.end() ? "" : part->second, title_of(entry.path()), entry.path()});
  }
}

std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

/// The name of `lesson` without its numbers: "copying".
std::string bare_name(const Lesson& lesson) {
  const std::size_t letter = lesson.name.find_first_not_of("0123456789_");
  return letter == std::string::npos ? lesson.name : lesson.name.substr(letter);
}

std::string nearest(const std::vector<Lesson>& lessons, const std::string& wanted) {
  std::string best;
  std::size_t smallest = std::max<std::size_t>(wanted.size() / 2, 1) + 1;
  for (const Lesson& lesson : lessons) {
    for (const std::string& name : {lesson.number, lesson.name, bare_name(lesson), lesson.chapter}) {
      const std::size_t distance = edit_distance(wanted, name);
      if (distance >= smallest) continue;
      smallest = distance;
      best = name;
    }
  }
  return best;
}

/// "2_2_copying" of "chapters/1_gpus/2_2_copying.cpp", "1_gpus" of "chapters/1_gpus/".
std::string without_path(const std::string& wanted) {
  fs::path path(wanted);
  if (path.filename().empty()) path = path.parent_path();
  return path.extension() == ".cpp" ? path.stem().string() : path.filename().string();
}

bool names_chapter(const std::string& wanted, const Lesson& lesson) {
  if (wanted == lesson.chapter || wanted == lesson.number.substr(0, lesson.number.find('.'))) return true;
  return std::any_of(lesson.book.begin(), lesson.book.end(), [&](const std::string& number) {
    const std::string section = lesson.number.substr(lesson.number.find('.'));
    return wanted + section == number;
  });
}

bool names_lesson(const std::string& wanted, const Lesson& lesson) {
  return wanted == lesson.number || wanted == lesson.name || wanted == bare_name(lesson) ||
         std::find(lesson.book.begin(), lesson.book.end(), wanted) != lesson.book.end();
}

}  // namespace

std::vector<Lesson> find_lessons(const fs::path& root) {
  std::vector<Lesson> lessons;
  std::error_code problem;
  for (const auto& entry : fs::directory_iterator(root / "chapters", problem)) {
    if (entry.is_directory()) add_chapter(entry.path(), lessons);
  }
  if (problem) throw Stop(failed, fmt::format("{}: {}", (root / "chapters").string(), problem.message()));
  const auto order = [](const Lesson& lesson) {
    return std::make_tuple(leading_numbers(lesson.chapter), leading_numbers(lesson.name), lesson.name);
  };
  std::sort(lessons.begin(), lessons.end(), [&](const Lesson& a, const Lesson& b) { return order(a) < order(b); });
  return lessons;
}

std::vector<Lesson> select(const std::vector<Lesson>& lessons, const std::string& wanted) {
  if (wanted.empty()) return lessons;
  const std::string name = without_path(wanted);
  for (const auto& means : {names_lesson, names_chapter}) {
    std::vector<Lesson> chosen;
    std::copy_if(lessons.begin(), lessons.end(), std::back_inserter(chosen),
                 [&](const Lesson& lesson) { return means(name, lesson); });
    if (!chosen.empty()) return chosen;
  }
  std::string message = fmt::format("There is no section or chapter \"{}\".", wanted);
  const std::string close = nearest(lessons, name);
  if (!close.empty()) message += fmt::format(" Did you mean {}?", close);
  message += "\nThere are:\n";
  for (const Lesson& lesson : lessons)
    message += fmt::format("  {:<8}{}  ({})\n", lesson.number, lesson.title, lesson.name);
  throw Stop(wrong_usage, message + "A chapter is meant by its number or its folder, such as 1 or 1_gpus.");
}

const Lesson* after(const std::vector<Lesson>& lessons, const Lesson& lesson) {
  const auto found =
      std::find_if(lessons.begin(), lessons.end(), [&](const Lesson& other) { return other.source == lesson.source; });
  return found == lessons.end() || found + 1 == lessons.end() ? nullptr : &*(found + 1);
}

}  // namespace d2l::runner
