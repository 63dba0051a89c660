// SPDX-License-Identifier: MIT
// The subcommands of ./learn: one file each, which declares the options and does the work.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "build/exercise_check.h"

namespace d2l::runner {

/// The values of the options; a subcommand reads those that it declares.
struct Options {
  std::string wanted;             ///< the lesson, chapter or exercise that the user names
  std::string number;             ///< of a hint, or of a new section or exercise
  std::string title;              ///< of a new section or exercise
  std::string chapter;            ///< the title of a new chapter
  std::string path;               ///< the file or folder to write
  std::string student;            ///< the name of the student
  std::vector<std::string> rest;  ///< arguments for another program
  std::optional<std::uint64_t> seed;
  std::int64_t limit = 60;  ///< seconds
  std::int64_t ranks = 0;
  std::int64_t servers = 1;
  std::string slow_link;  ///< a rate
  bool cuda = false;
  bool demonstrate = false;
  bool spoil = false;
  bool all = false;
  bool lesson = false;
  bool step = false;
  bool stub = false;

  [[nodiscard]] CheckOptions check() const { return {seed, std::chrono::seconds(limit), false, false, {}}; }
};

/// An option ("--seed") or an argument ("exercise") of a subcommand.
struct Option {
  std::string name;
  std::string description;
  std::variant<std::string Options::*, bool Options::*, std::optional<std::uint64_t> Options::*,
               std::int64_t Options::*>
      value;
  bool required = false;
  std::int64_t most = 86400;  ///< of a number; seconds of a day
};

struct Subcommand {
  std::string name;
  std::string description;
  int (*act)(const Options&);  ///< returns the exit code
  std::vector<Option> options;
  /// Which arguments go unread into Options::rest: a program and what follows it, for example; -- may stand before it.
  enum class Rest { none, unknown, program, all } rest = Rest::none;
};

Subcommand run_subcommand();
Subcommand cuda_subcommand();
Subcommand launch_subcommand();
Subcommand list_subcommand();
Subcommand devices_subcommand();
Subcommand test_subcommand();
Subcommand docs_subcommand();
Subcommand setup_subcommand();
Subcommand next_subcommand();
Subcommand check_subcommand();
Subcommand watch_subcommand();
Subcommand hint_subcommand();
Subcommand reset_subcommand();
Subcommand solution_subcommand();
Subcommand diff_subcommand();
Subcommand pack_subcommand();
Subcommand release_subcommand();
Subcommand grade_subcommand();
Subcommand new_subcommand();

/// Options that several subcommands share.
Option cuda_option();
Option exercise_argument(const std::string& without);  ///< `without`: what is used when the user names no exercise
std::vector<Option> check_options();                   ///< --seed, --limit and --cuda

/// Parses the arguments and runs the subcommand that they name; the exit code.
int run_command_line(int count, char** arguments);

}  // namespace d2l::runner
