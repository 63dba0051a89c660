// SPDX-License-Identifier: MIT
#include "course/lessons.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace d2l::runner {
namespace {

namespace fs = std::filesystem;

/// The name of `lesson` without its numbers: "copying".
std::string bare_name(const Lesson& lesson) {
  const std::size_t letter = lesson.name.find_first_not_of("0123456789_");
  return letter == std::string::npos ? lesson.name : lesson.name.substr(letter);
}

/// "2_2_copying" of "chapters/1_gpus/2_2_copying.cpp", "1_gpus" of "chapters/1_gpus/".
std::string without_path(const std::string& wanted) {
  fs::path path(wanted);
  if (path.filename().empty()) path = path.parent_path();
  return path.extension() == ".cpp" || path.extension() == ".cu" ? path.stem().string() : path.filename().string();
}

bool names_lesson(const std::string& wanted, const Lesson& lesson) {
  return wanted == lesson.number || wanted == lesson.name || wanted == bare_name(lesson) ||
         std::find(lesson.book.begin(), lesson.book.end(), wanted) != lesson.book.end();
}

bool names_chapter(const std::string& wanted, const Chapter& chapter) {
  return wanted == chapter.folder || wanted == chapter.number ||
         std::any_of(chapter.book.begin(), chapter.book.end(), [&](const auto& one) { return one.second == wanted; });
}

[[noreturn]] void refuse(const std::vector<Lesson>& lessons, const std::string& wanted) {
  std::vector<std::string> names;
  std::string listed;
  for (const Lesson& lesson : lessons) {
    names.insert(names.end(), {lesson.number, lesson.name, bare_name(lesson), lesson.chapter});
    listed += fmt::format("  {:<8}{}  ({})\n", lesson.number, lesson.title, lesson.name);
  }
  const std::string close = nearest(names, without_path(wanted));
  throw Stop(wrong_usage,
             fmt::format("There is no section or chapter \"{}\".{}\nThere are:\n{}To name a chapter, use its "
                         "number or its folder, such as 1 or 1_gpus.",
                         wanted, close.empty() ? "" : fmt::format(" Did you mean {}?", close), listed));
}

}  // namespace

std::vector<Lesson> select(const std::vector<Chapter>& course, const std::string& wanted) {
  const std::string name = without_path(wanted);
  std::vector<Lesson> all;
  std::vector<Lesson> named;
  std::vector<Lesson> of_chapter;
  for (const Chapter& chapter : course) {
    for (const Lesson& lesson : chapter.sections) {
      if (lesson.name.empty()) continue;
      all.push_back(lesson);
      if (names_lesson(name, lesson)) named.push_back(lesson);
      if (names_chapter(name, chapter)) of_chapter.push_back(lesson);
    }
  }
  if (wanted.empty()) return all;
  // Where the book gives a lesson the number of its chapter, the number means the chapter.
  if (!of_chapter.empty()) return of_chapter;
  if (named.empty()) refuse(all, wanted);
  return named;
}

const Lesson* after(const std::vector<Lesson>& lessons, const Lesson& lesson) {
  const auto found =
      std::find_if(lessons.begin(), lessons.end(), [&](const Lesson& other) { return other.source == lesson.source; });
  return found == lessons.end() || found + 1 == lessons.end() ? nullptr : &*(found + 1);
}

}  // namespace d2l::runner
