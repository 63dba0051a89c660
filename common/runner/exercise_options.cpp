// SPDX-License-Identifier: MIT
// The options of the commands for exercises.
#include <CLI/CLI.hpp>
#include <memory>

#include "command_line.h"
#include "exercise_commands.h"

namespace d2l::runner {
namespace {

constexpr const char* which = "an exercise: its number (1.5.3), its folder or a part of that";

/// What the options of a command fill in.
struct Options {
  std::string exercise;
  std::string number;
  std::string name;
  std::string path;
  std::int64_t limit = 60;
  CheckOptions check;
  bool cuda = false;
  bool demonstrate = false;
  bool spoil = false;

  [[nodiscard]] CheckOptions check_options() const {
    CheckOptions options = check;
    options.limit = std::chrono::seconds(limit);
    return options;
  }
};

/// Adds a command: `act` is called with its options when it is chosen.
template <class Act>
CLI::App* add(CLI::App& app, Action& chosen, const std::string& name, const std::string& description,
              const std::shared_ptr<Options>& options, const Act& act) {
  CLI::App* command = app.add_subcommand(name, description);
  command->callback([&chosen, options, act] { chosen = [options, act] { return act(*options); }; });
  return command;
}

void add_check_options(CLI::App* command, Options& options) {
  command->add_option("--seed", options.check.seed, "draw the values from this seed, as an earlier check did");
  command->add_option("--limit", options.limit, "seconds after which a check is ended")
      ->check(CLI::Range(1, 86400))
      ->capture_default_str();
  command->add_flag("--cuda", options.cuda, "build with CUDA, although no GPU is visible");
}

}  // namespace

void add_exercise_commands(CLI::App& app, Action& chosen) {
  auto options = std::make_shared<Options>();
  CLI::App* next = add(app, chosen, "next", "the next exercise, with its statement", options,
                       [](const Options&) { return show_next(); });
  static_cast<void>(next);

  CLI::App* check = add(app, chosen, "check", "check what you wrote", options, [](const Options& o) {
    return o.demonstrate ? demonstrate_exercise(o.exercise, o.cuda)
                         : check_exercises(o.exercise, o.check_options(), o.cuda);
  });
  check->add_option("exercise", options->exercise, std::string(which) + "; all if none");
  check->add_flag("--demonstrate", options->demonstrate, "show what your function does, with measured times");
  add_check_options(check, *options);

  CLI::App* watch = add(app, chosen, "watch", "check at each save", options,
                        [](const Options& o) { return watch_exercise(o.exercise, o.check_options(), o.cuda); });
  watch->add_option("exercise", options->exercise, std::string(which) + "; the one you are at if none");
  add_check_options(watch, *options);

  CLI::App* hint = add(app, chosen, "hint", "the next hint, or one by its number", options,
                       [](const Options& o) { return hint_exercise(o.exercise, o.number); });
  hint->add_option("exercise", options->exercise, std::string(which) + "; the one you are at if none");
  hint->add_option("number", options->number, "the hint's number; the next one if none");

  CLI::App* reset = add(app, chosen, "reset", "begin an exercise anew; keeps what was there", options,
                        [](const Options& o) { return reset_exercise(o.exercise); });
  reset->add_option("exercise", options->exercise, std::string(which) + "; the one you are at if none");

  CLI::App* solution = add(app, chosen, "solution", "the solution, after a pass", options,
                           [](const Options& o) { return show_solution(o.exercise, o.spoil, o.demonstrate, o.cuda); });
  solution->add_option("exercise", options->exercise, std::string(which) + "; the one checked last if none");
  solution->add_flag("--spoil", options->spoil, "show it before a pass, too");
  solution->add_flag("--demonstrate", options->demonstrate, "show what it does, with measured times");
  solution->add_flag("--cuda", options->cuda, "build with CUDA, although no GPU is visible");

  CLI::App* pack = add(app, chosen, "pack", "one file of your exercises, to hand in", options,
                       [](const Options& o) { return pack_exercises(o.path, o.name); });
  pack->add_option("--output", options->path, "the file to write")->default_str("submission.tar.gz");
  pack->add_option("--name", options->name, "who hands it in; as git knows you if none");

  CLI::App* release = add(app, chosen, "release", "write the tree for students, without solutions", options,
                          [](const Options& o) { return release_course(o.path); });
  release->add_option("folder", options->path, "a folder that does not exist, or is empty")->required();
}

}  // namespace d2l::runner
