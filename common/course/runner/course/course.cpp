// SPDX-License-Identifier: MIT
#include "course/course.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>

#include "base/error.h"
#include "base/files.h"

namespace d2l::runner {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

Lesson read_section(const Json& json, const Chapter& chapter, const fs::path& folder) {
  Lesson section;
  const auto file = json.value("file", "");
  section.chapter = chapter.folder;
  section.name = fs::path(file).stem().string();
  section.number = json.at("number").get<std::string>();
  section.title = json.at("title").get<std::string>();
  section.book = json.value("book", section.book);
  section.part_of = json.value("part_of", section.part_of);
  section.draft = json.value("draft", false);
  section.source = folder / file;
  for (const auto* numbers : {&section.book, &section.part_of}) {
    if (numbers->size() > chapter.book.size()) throw Stop(failed, section.number + " has more numbers than editions");
  }
  return section;
}

Exercise read_exercise(const Json& json, const Chapter& chapter, const fs::path& folder) {
  const auto name = json.at("folder").get<std::string>();
  return {chapter.folder,
          name,
          json.at("number").get<std::string>(),
          json.at("title").get<std::string>(),
          folder / name,
          json.value("draft", false)};
}

/// Every section and exercise has a number of the chapter.
void require_number(const Chapter& chapter, const std::string& number) {
  const auto parts = parts_of(number);
  if (parts.size() < 2 || parts.front() != std::stoi(chapter.number)) {
    throw Stop(failed, fmt::format("\"{}\" is not a number in chapter {}", number, chapter.number));
  }
}

Chapter read_chapter(const fs::path& root, const std::string& folder) {
  const Json json = Json::parse(read_file(root / "chapters" / folder / "chapter.json"));
  Chapter chapter{folder, json.at("number"), json.at("title"), {}, {}, {}};
  if (parts_of(chapter.number).size() != 1) throw Stop(failed, "its number is not a number");
  const Json book = json.value("book", Json::object());
  for (const auto& [edition, number] : book.items()) {
    chapter.book.emplace_back(edition, number.get<std::string>());
  }
  for (const Json& section : json.at("sections")) {
    chapter.sections.push_back(read_section(section, chapter, root / "chapters" / folder));
    require_number(chapter, chapter.sections.back().number);
  }
  for (const Json& exercise : json.value("exercises", Json::array())) {
    chapter.exercises.push_back(read_exercise(exercise, chapter, root / "exercises" / folder));
    require_number(chapter, chapter.exercises.back().number);
  }
  return chapter;
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

}  // namespace

std::vector<Chapter> read_course(const fs::path& root) {
  std::vector<Chapter> course;
  std::error_code problem;
  for (const auto& entry : fs::directory_iterator(root / "chapters", problem)) {
    const fs::path file = entry.path() / "chapter.json";
    if (!fs::exists(file)) continue;
    try {
      course.push_back(read_chapter(root, entry.path().filename().string()));
    } catch (const std::exception& reason) {
      throw Stop(failed, fmt::format("{} is malformed: {}", file.string(), reason.what()));
    }
  }
  if (problem) throw Stop(failed, fmt::format("{}: {}", (root / "chapters").string(), problem.message()));
  std::sort(course.begin(), course.end(),
            [](const Chapter& a, const Chapter& b) { return parts_of(a.number) < parts_of(b.number); });
  return course;
}

std::vector<Exercise> find_exercises(const fs::path& root) {
  std::vector<Exercise> exercises;
  for (const Chapter& chapter : read_course(root)) {
    exercises.insert(exercises.end(), chapter.exercises.begin(), chapter.exercises.end());
  }
  return exercises;
}

std::vector<int> parts_of(const std::string& text) {
  std::vector<int> parts;
  std::istringstream words(text + ".");
  for (std::string word; std::getline(words, word, '.');) {
    const bool digits = !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
    if (!digits || word.size() > 5 || (word.size() > 1 && word.front() == '0')) return {};
    parts.push_back(std::stoi(word));
  }
  return parts;
}

bool comes_before(const std::string& a, const std::string& b) { return parts_of(a) < parts_of(b); }

std::string book_numbers(const Lesson& lesson, const std::string& separator) {
  std::string text;
  for (const auto& [numbers, before] : {std::pair(&lesson.book, ""), std::pair(&lesson.part_of, "in ")}) {
    for (const auto& number : *numbers) {
      if (!number.empty()) text += (text.empty() ? "" : separator) + before + number;
    }
  }
  return text;
}

std::string nearest(const std::vector<std::string>& names, const std::string& wanted) {
  std::string best;
  std::size_t smallest = std::max<std::size_t>(wanted.size() / 2, 1) + 1;
  for (const std::string& name : names) {
    const std::size_t distance = edit_distance(wanted, name);
    if (distance >= smallest) continue;
    smallest = distance;
    best = name;
  }
  return best;
}

}  // namespace d2l::runner
