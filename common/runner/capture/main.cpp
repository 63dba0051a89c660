// SPDX-License-Identifier: MIT
// d2l_capture: what lessons showed, as text; held against its references, or kept as new ones.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>

#include "base/files.h"
#include "capture/capture_text.h"
#include "capture/lesson_check.h"

int main(int count, char** arguments) {
  using namespace d2l::runner;

  CLI::App app("What a lesson showed, as text: rendered, compared with a reference, or kept as one.");
  app.require_subcommand(1);

  std::string cells;
  std::string text;
  auto* const render_command = app.add_subcommand("render", "Print a file of cells as the text of a reference");
  render_command->add_option("cells", cells, "File that a lesson wrote with D2L_CELLS")->required();

  auto* const compare_command = app.add_subcommand("compare", "Compare a file of cells with a reference");
  compare_command->add_option("cells", cells, "File that a lesson wrote with D2L_CELLS")->required();
  compare_command->add_option("expected", text, "The reference")->required();

  auto* const capture_command = app.add_subcommand("capture", "Keep a file of cells as a reference");
  capture_command->add_option("cells", cells, "File that a lesson wrote with D2L_CELLS")->required();
  capture_command->add_option("expected", text, "The reference to write")->required();

  LessonCheck check;
  auto* const check_command = app.add_subcommand("check", "Run a lesson and compare what it shows with its reference");
  check_command->add_option("lesson", check.lesson, "The program")->required();
  check_command->add_option("--expected", check.expected, "Folder of the references")->required();
  check_command->add_option("--section", check.section, "Name of the lesson's source, without .cpp")->required();
  check_command->add_option("--configuration", check.configuration, "none, virtual2, gpu, gpu_virtual2, ...")
      ->required();
  check_command->add_option("--cells", check.cells, "Where the lesson is to write its cells")->required();
  check_command->add_option("--source", check.source, "The lesson's source, whose code the cells are to name");
  check_command->add_option("--again", check.again, "The command that captures again, to be told where they differ");
  check_command->add_flag("--draft", check.draft, "The lesson need not be captured yet");
  check_command->add_flag("--capture", check.capture, "Write the reference instead of comparing");

  auto* const run_command = app.add_subcommand("run", "Run a program and keep what it shows");
  run_command->add_option("program", check.lesson, "The program")->required();
  run_command->add_option("arguments", check.arguments, "Its arguments, after --");
  run_command->add_option("--configuration", check.configuration, "none, virtual2, gpu, gpu_virtual2, ...")->required();
  run_command->add_option("--source", check.source, "The lesson's source, whose code the cells are to name");
  run_command->add_option("--cells", check.cells, "Where the program is to write its cells")->required();

  try {
    app.parse(count, arguments);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }

  try {
    if (render_command->parsed()) fmt::print("{}", render(read_file(cells)));
    if (compare_command->parsed()) return compare(cells, text);
    if (capture_command->parsed()) write_file(text, render(read_file(cells)));
    if (run_command->parsed()) return run_program(check);
    if (check_command->parsed()) return check_lesson(check);
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 2;
  }
  return 0;
}
