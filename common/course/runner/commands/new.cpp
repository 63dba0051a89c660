// SPDX-License-Identifier: MIT
// ./learn new
#include <fmt/format.h>

#include "base/error.h"
#include "base/root.h"
#include "commands/subcommand.h"
#include "course/new_files.h"

namespace d2l::runner {
namespace {

int make_new(const Options& options) {
  const NewPart part{options.number, options.title, options.chapter, options.cuda};
  const bool lesson = options.wanted == "lesson";
  if (!lesson && options.wanted != "exercise") {
    throw Stop(
        wrong_usage,
        fmt::format("new makes a lesson or an exercise, not \"{}\": ./learn new lesson 2.1 \"TITLE\"", options.wanted));
  }
  const auto files = lesson ? new_lesson_files(root(), part) : new_exercise_files(root(), part);
  write_all(root(), files);
  for (const auto& [name, text] : files) fmt::print("{}\n", name);
  if (lesson) {
    fmt::print(
        "\nRun it:            ./learn run {0}\nKeep its outputs:  cmake --build build/cpu --target capture\nThen "
        "remove "
        "\"draft\": true from its line in chapter.json.\n",
        part.number);
  } else {
    fmt::print(
        "\nTest it:  ./learn test -R {}\nA finished exercise has more mistakes in mistakes.md; then remove \"draft\": "
        "true "
        "from its line in chapter.json.\n",
        std::filesystem::path(files.begin()->first).parent_path().filename().string());
  }
  return 0;
}

}  // namespace

Subcommand new_subcommand() {
  return {"new",
          "for authors: make the files of a lesson or an exercise",
          make_new,
          {{"kind", "lesson or exercise", &Options::wanted, true},
           {"number", "its number, such as 2.1", &Options::number, true},
           {"title", "its title", &Options::title, true},
           {"--chapter", "the title of a new chapter", &Options::chapter},
           {"--cuda", "its program is a .cu file, with a kernel", &Options::cuda}}};
}

}  // namespace d2l::runner
