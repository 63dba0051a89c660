// SPDX-License-Identifier: MIT
#include "course/originals.h"

#include "base/files.h"
#include "base/run_limited.h"
#include "base/text.h"
#include "course/course.h"

namespace d2l::runner {
namespace {

namespace fs = std::filesystem;

fs::path copy_of(const fs::path& root, const fs::path& file) {
  return root / ".learn" / "original" / fs::relative(file, root);
}

}  // namespace

void keep_originals(const fs::path& root) {
  if (fs::exists(root / ".git") || fs::exists(root / ".learn" / "original")) return;
  std::error_code ignored;
  for (const Chapter& chapter : read_course(root)) {
    std::vector<fs::path> files;
    for (const Lesson& lesson : chapter.sections) files.push_back(lesson.source);
    for (const Exercise& exercise : chapter.exercises) files.push_back(exercise.folder / "exercise.h");
    for (const fs::path& file : files) {
      if (!fs::is_regular_file(file)) continue;
      fs::create_directories(copy_of(root, file).parent_path(), ignored);
      fs::copy_file(file, copy_of(root, file), fs::copy_options::skip_existing, ignored);
    }
  }
}

std::optional<std::string> original_of(const fs::path& root, const fs::path& file) {
  if (fs::exists(root / ".git") && !find_program("git").empty()) {
    std::string text;
    const std::string name = "HEAD:./" + fs::relative(file, root).string();
    const Command command{"sh", "-c", "exec git show \"$0\" 2>/dev/null", name};
    if (run_reading(command, root, [&](const std::string& line) { text += line + "\n"; }) == 0) return text;
  }
  const fs::path copy = copy_of(root, file);
  return fs::exists(copy) ? std::optional(read_file(copy)) : std::nullopt;
}

bool is_edited(const fs::path& root, const fs::path& file) {
  const auto original = original_of(root, file);
  return original && (!fs::exists(file) || replaced(read_file(file), "\r", "") != *original);
}

}  // namespace d2l::runner
