// SPDX-License-Identifier: MIT
// ./learn reset
#include "commands/reset.h"

#include <fmt/format.h>

#include <cstdio>
#include <iostream>

#include "base/error.h"
#include "base/files.h"
#include "base/keyboard.h"
#include "base/terminal.h"
#include "commands/subcommand.h"
#include "course/lessons.h"
#include "course/originals.h"
#include "course/progress.h"

namespace d2l::runner {

namespace {

namespace fs = std::filesystem;

/// Gives a file a text and keeps the old one in .learn/kept/FOLDER. False when the file has that text.
bool restore(const fs::path& file, const std::string& text, const std::string& folder) {
  const bool exists = fs::exists(file);
  const std::string old = exists ? read_file(file) : "";
  if (exists && old == text) return false;
  if (exists) {
    fs::permissions(file, fs::perms::owner_write, fs::perm_options::add);
    const fs::path kept =
        free_name(root() / ".learn" / "kept" / folder, file.stem().string(), file.extension().string());
    write_file(kept, old);
    say(fmt::format("What was in {} is kept in {}", fs::relative(file, root()).string(),
                    fs::relative(kept, root()).string()));
  }
  write_file(file, text);
  return true;
}

int reset_lesson(const std::string& wanted) {
  if (wanted.empty()) throw Stop(wrong_usage, "Name the lesson: ./learn reset --lesson 1.2.2");
  const std::vector<Lesson> lessons = select(read_course(root()), wanted);
  if (lessons.size() != 1)
    throw Stop(wrong_usage, fmt::format("\"{}\" is not one lesson. Name a section, such as 1.2.2.", wanted));
  const Lesson& lesson = lessons.front();
  const std::string shown = fs::relative(lesson.source, root()).string();
  const auto original = original_of(root(), lesson.source);
  if (!original) throw Stop(failed, fmt::format("There is no copy of the text that {} had.", shown));
  const bool changed = restore(lesson.source, *original, lesson.chapter);
  fmt::print("{} {}\n", shown, changed ? "is as the course has it again." : "is as the course has it.");
  return 0;
}

int reset_any(const Options& options) {
  if (options.lesson) return reset_lesson(options.wanted);
  if (!options.wanted.empty()) return reset_exercise(options.wanted);
  const Exercise exercise = named_or_current("");
  const std::string question = fmt::format("Begin {} {} anew?", exercise.number, exercise.title);
  if (!has_keyboard()) {
    throw Stop(wrong_usage, fmt::format("{} Name the exercise: ./learn reset {}", question, exercise.number));
  }
  fmt::print("{} [y/n] ", question);
  std::fflush(stdout);
  std::string answer;
  std::getline(std::cin, answer);
  if (answer == "y" || answer == "yes") return reset_exercise(exercise.number);
  fmt::print("Nothing is changed.\n");
  return 0;
}

}  // namespace

int reset_exercise(const std::string& wanted) {
  const Exercise exercise = named_or_current(wanted);
  for (const Chapter& chapter : read_course(root())) {
    for (const Lesson& lesson : chapter.sections) {
      if (lesson.number != exercise.number || lesson.name.empty() || !is_edited(root(), lesson.source)) continue;
      say(fmt::format(
          "The lesson {0} is edited too. This is about its exercise; for the lesson: ./learn reset --lesson {0}",
          lesson.number));
    }
  }
  const fs::path header = exercise.folder / "exercise.h";
  const auto original = original_of(root(), header);
  const bool header_changed = original && restore(header, *original, exercise.key());
  if (header_changed) fmt::print("exercise.h is as the course has it again.\n");
  if (!restore(exercise.source(), read_file(exercise.stub()), exercise.key())) {
    fmt::print("{} is the stub: there is nothing {}to reset.\n", exercise.shown_source(),
               header_changed ? "more " : "");
    return 0;
  }
  change_records(root(), [&](Records& records) {
    Record& record = records.exercises[exercise.key()];
    record.verdict.clear();
    record.points = 0;
    record.hints = 0;
  });
  fmt::print("{} {} begins anew: {}\n", exercise.number, exercise.title, exercise.shown_source());
  return 0;
}

Subcommand reset_subcommand() {
  return {"reset",
          "begin an exercise anew; keeps what was there",
          reset_any,
          {exercise_argument("asks about the one you are at if none"),
           {"--lesson", "restore a lesson that you edited", &Options::lesson}}};
}

}  // namespace d2l::runner
