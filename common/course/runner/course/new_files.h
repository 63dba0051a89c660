// SPDX-License-Identifier: MIT
// The files of a new lesson or exercise, made from the templates in common/course/runner/commands/templates.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace d2l::runner {

/// What is to be made.
struct NewPart {
  std::string number;   ///< "2.1"
  std::string title;    ///< "Kernels"
  std::string chapter;  ///< the title of the chapter, for a chapter that does not exist yet
  bool cuda = false;    ///< whether its program is a .cu file
};

/// The files of a new lesson, or of a new exercise, by their paths below `root`; the changed chapter.json is one of
/// them. Stop when the number is malformed or taken, or the title cannot be used.
std::map<std::string, std::string> new_lesson_files(const std::filesystem::path& root, const NewPart& part);
std::map<std::string, std::string> new_exercise_files(const std::filesystem::path& root, const NewPart& part);

/// Writes files below `root`: all, or none when one of them cannot be written.
void write_all(const std::filesystem::path& root, const std::map<std::string, std::string>& files);

/// A description in the layout of chapter.json, one section or exercise a line. Stop when `json` is malformed.
std::string formatted_description(const std::string& json);

}  // namespace d2l::runner
