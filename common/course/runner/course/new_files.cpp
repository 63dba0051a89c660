// SPDX-License-Identifier: MIT
#include "course/new_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "course/course.h"

namespace d2l::runner {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using Files = std::map<std::string, std::string>;

[[noreturn]] void refuse(const std::string& why) { throw Stop(wrong_usage, why); }

void require_title(const std::string& title) {
  const bool plain = title.find_first_of("\"\\;\n\r\t") == std::string::npos;
  if (title.empty() || std::isupper(static_cast<unsigned char>(title.front())) == 0 || !plain) {
    refuse(fmt::format("\"{}\" is not a title: it begins with a capital letter A to Z and is one line without \" \\ ;",
                       title));
  }
}

/// "2_1" for {1, 2, 1}: the number in the name of a file, without the chapter.
std::string in_file_name(const std::vector<int>& parts) {
  return fmt::format("{}", fmt::join(parts.begin() + 1, parts.end(), "_"));
}

/// A value on one line, with a space after each comma and colon.
std::string on_one_line(const Json& json) {
  if (!json.is_structured()) return json.dump();
  std::vector<std::string> parts;
  for (const auto& [key, value] : json.items()) {
    parts.push_back((json.is_object() ? Json(key).dump() + ": " : "") + on_one_line(value));
  }
  const std::string inside = fmt::format("{}", fmt::join(parts, ", "));
  return json.is_object() ? "{" + inside + "}" : "[" + inside + "]";
}

std::string layout(const Json& json) {
  std::vector<std::string> parts;
  for (const auto& [key, value] : json.items()) {
    std::string text = on_one_line(value);
    if (value.is_array() && !value.empty()) {
      std::vector<std::string> lines;
      for (const Json& element : value) lines.push_back("    " + on_one_line(element));
      text = fmt::format("[\n{}\n  ]", fmt::join(lines, ",\n"));
    }
    parts.push_back(fmt::format("  {}: {}", Json(key).dump(), text));
  }
  return fmt::format("{{\n{}\n}}\n", fmt::join(parts, ",\n"));
}

/// Inserts an entry where its number belongs.
void insert(Json& entries, const Json& entry) {
  const auto later = std::find_if(entries.begin(), entries.end(), [&](const Json& other) {
    return comes_before(entry.at("number").get<std::string>(), other.at("number").get<std::string>());
  });
  entries.insert(later, entry);
}

/// A template with its placeholders replaced.
std::string filled(const fs::path& root, const std::string& name, const Files& values) {
  std::string text = read_file(root / "common" / "course" / "runner" / "commands" / "templates" / (name + ".in"));
  for (const auto& [key, value] : values) text = replaced(text, "@" + key + "@", value);
  return text;
}

std::string extension(const NewPart& part) { return part.cuda ? ".cu" : ".cpp"; }

/// A chapter's description that is being changed.
struct Draft {
  Draft(const fs::path& root, const NewPart& part) : parts(parts_of(part.number)) {
    if (parts.size() < 2) refuse(fmt::format("\"{}\" is not a number of a section: use one such as 2.1", part.number));
    require_title(part.title);
    const std::string number = std::to_string(parts.front());
    for (const Chapter& one : read_course(root)) {
      if (one.number == number) chapter = one;
    }
    if (chapter) {
      json = Json::parse(read_file(root / "chapters" / chapter->folder / "chapter.json"));
      return;
    }
    if (part.chapter.empty()) {
      refuse(fmt::format(
          "Chapter {0} does not exist. To make it, name it: ./learn new lesson {1} \"{2}\" --chapter \"TITLE\"", number,
          part.number, part.title));
    }
    require_title(part.chapter);
    chapter = Chapter{number + "_" + slug(part.chapter), number, part.chapter, {}, {}, {}};
    json = {{"number", number}, {"title", part.chapter}, {"sections", Json::array()}, {"exercises", Json::array()}};
  }

  /// The section with this number; null when there is none.
  [[nodiscard]] const Lesson* section(const std::string& number) const {
    const auto found = std::find_if(chapter->sections.begin(), chapter->sections.end(),
                                    [&](const Lesson& one) { return one.number == number; });
    return found == chapter->sections.end() ? nullptr : &*found;
  }

  void add(const char* list, const Json& entry) {
    if (!json.contains(list)) json[list] = Json::array();
    insert(json[list], entry);
  }

  [[nodiscard]] std::string description() const { return "chapters/" + chapter->folder + "/chapter.json"; }

  std::vector<int> parts;
  std::optional<Chapter> chapter;
  Json json;
};

/// The folder of a new exercise: section_2_1_name for an exercise of section 1.2.1, 3_name for 1.5.3. An exercise that
/// is not a section's belongs to a section without a program, which is added when the chapter has none of that number.
std::string exercise_folder(Draft& draft, const NewPart& part) {
  if (const Lesson* section = draft.section(part.number); section != nullptr && !section->name.empty()) {
    return fmt::format("section_{}_{}", in_file_name(draft.parts), slug(part.title));
  }
  const std::string parent = part.number.substr(0, part.number.rfind('.'));
  const Lesson* section = draft.section(parent);
  if (draft.parts.size() != 3 || draft.section(part.number) != nullptr ||
      (section != nullptr && !section->name.empty())) {
    refuse(fmt::format(
        "Chapter {0} has no lesson {1}. Make it first: ./learn new lesson {1} \"TITLE\"\nAn exercise at the "
        "end of the chapter has a number such as {0}.{2}.1, where {0}.{2} is not a lesson.",
        draft.chapter->number, part.number, draft.chapter->sections.size() + 1));
  }
  if (section == nullptr) draft.add("sections", {{"number", parent}, {"title", "Exercises"}});
  return fmt::format("{}_{}", draft.parts.back(), slug(part.title));
}

}  // namespace

Files new_lesson_files(const fs::path& root, const NewPart& part) {
  Draft draft(root, part);
  if (const Lesson* taken = draft.section(part.number); taken != nullptr) {
    refuse(fmt::format("Section {} exists: {}", part.number, taken->title));
  }
  const std::string file = fmt::format("{}_{}{}", in_file_name(draft.parts), slug(part.title), extension(part));
  draft.add("sections", {{"number", part.number}, {"title", part.title}, {"file", file}, {"draft", true}});
  return {{draft.description(), layout(draft.json)},
          {fmt::format("chapters/{}/{}", draft.chapter->folder, file),
           filled(root, "lesson" + extension(part), {{"NUMBER", part.number}, {"TITLE", part.title}})}};
}

Files new_exercise_files(const fs::path& root, const NewPart& part) {
  Draft draft(root, part);
  for (const Exercise& exercise : draft.chapter->exercises) {
    if (exercise.number == part.number) refuse(fmt::format("Exercise {} exists: {}", part.number, exercise.title));
  }
  const std::string folder = exercise_folder(draft, part);
  draft.add("exercises", {{"number", part.number}, {"title", part.title}, {"folder", folder}, {"draft", true}});
  const std::string key = draft.chapter->folder + "/" + folder;
  const Files values{{"TITLE", part.title}, {"FUNCTION", "solve_" + slug(part.title)}};
  Files files{{draft.description(), layout(draft.json)},
              {"solutions/" + key + extension(part), filled(root, "solution" + extension(part), values)},
              {"exercises/" + key + "/mistakes.md", filled(root, "mistakes" + extension(part), values)}};
  for (const std::string& name :
       {std::string("exercise.h"), "stub" + extension(part), std::string("check.cpp"), std::string("hint.md")}) {
    files["exercises/" + key + "/" + name] = filled(root, name, values);
  }
  return files;
}

void write_all(const fs::path& root, const Files& files) {
  std::vector<fs::path> written;
  std::map<fs::path, std::string> replaced;
  try {
    for (const auto& [name, text] : files) {
      const fs::path file = root / name;
      if (fs::exists(file) && file.filename() != "chapter.json") refuse(name + " exists.");
      if (fs::exists(file)) replaced[file] = read_file(file);
      write_file(file, text);
      written.push_back(file);
    }
  } catch (...) {
    for (const fs::path& file : written) {
      if (replaced.contains(file)) {
        write_file(file, replaced[file]);
      } else {
        fs::remove(file);
      }
    }
    throw;
  }
}

std::string formatted_description(const std::string& json) {
  try {
    return layout(Json::parse(json));
  } catch (const Json::exception& problem) {
    throw Stop(failed, problem.what());
  }
}

}  // namespace d2l::runner
