// SPDX-License-Identifier: MIT
// d2l_capture: runs a lesson, and compares what it shows with the expected output or keeps it as such.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "capture/lesson_check.h"

int main(int count, char** arguments) {
  using namespace d2l::runner;

  CLI::App app("Runs lessons and compares what they show with the expected outputs.");
  app.require_subcommand(1);

  LessonCheck check;
  auto* const check_command = app.add_subcommand("check", "Run a lesson and compare its output with the expected one");
  check_command->add_option("lesson", check.lesson, "The program")->required();
  check_command->add_option("--expected", check.expected, "Folder of the expected outputs")->required();
  check_command->add_option("--section", check.section, "Name of the lesson's source, without .cpp")->required();
  check_command->add_option("--again", check.again, "The command that writes the expected output, for the messages");
  check_command->add_flag("--draft", check.draft, "The lesson need not be captured yet");
  check_command->add_flag("--as-virtual", check.as_virtual,
                          "Expect what as many virtual GPUs show, except for the names of the devices");
  check_command->add_flag("--capture", check.capture, "Write the expected output instead of comparing");

  auto* const run_command = app.add_subcommand("run", "Run a program and keep its capture");
  run_command->add_option("program", check.lesson, "The program")->required();
  run_command->add_option("arguments", check.arguments, "Its arguments, after --");
  for (auto* const command : {check_command, run_command}) {
    command->add_option("--configuration", check.configuration, "none, virtual2, gpu, gpu_virtual2, ...")->required();
    command->add_option("--source", check.source, "The lesson's source, for the provenance");
    command->add_option("--cells", check.cells, "The file for the capture")->required();
  }

  try {
    app.parse(count, arguments);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }

  try {
    return run_command->parsed() ? run_program(check) : check_lesson(check);
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 2;
  }
}
