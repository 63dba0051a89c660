// SPDX-License-Identifier: MIT
// ./learn launch
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/error.h"
#include "base/process.h"
#include "build/build.h"
#include "build/choice.h"
#include "commands/subcommand.h"
#include "course/lessons.h"
#include "launch/placement.h"
#include "launch/problem.h"
#include "launch/ranks.h"
#include "launch/rate.h"

namespace d2l::runner {
namespace {

/// The program that `name` is: a file, or the program of a lesson, which is built.
std::string program_of(const std::string& name, bool cuda) {
  if (name.find('/') != std::string::npos || std::filesystem::is_regular_file(name)) {
    if (::access(name.c_str(), X_OK) != 0) {
      throw Stop(wrong_usage, fmt::format("{} cannot be run: {}", name, std::strerror(errno)));
    }
    return std::filesystem::absolute(name).string();
  }
  const auto found = find_program(name);
  if (!found.empty()) return found.string();
  const auto lessons = select(read_course(root()), name);
  if (lessons.size() != 1)
    throw Stop(wrong_usage, fmt::format("\"{}\" is not one lesson. Name a section, such as 1.2.2.", name));
  const Choice choice = choose(cuda);
  const Build build(choice.preset);
  build.make({lessons.front().target()}, "Building " + lessons.front().number);
  return (build.folder() / "chapters" / lessons.front().target()).string();
}

int replace_with(const Command& command) {
  std::vector<char*> arguments;
  for (const auto& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::execv(arguments[0], arguments.data());
  fmt::print(stderr, "{} cannot be run: {}\n", command[0], std::strerror(errno));
  return 127;
}

int launch_program(const Options& options) {
  if (options.rest.empty()) throw Stop(wrong_usage, "Name the program: ./learn launch -n 4 PROGRAM [ARGUMENT...]");
  launch::Options given;
  given.ranks = static_cast<int>(options.ranks);
  given.servers = static_cast<int>(options.servers);
  if (const auto problem = launch::problem_of(given); !problem.empty()) {
    throw Stop(wrong_usage, fmt::format("-n {} --servers {}: {}", options.ranks, options.servers, problem));
  }
  if (!options.slow_link.empty() && (given.servers == 1 || !launch::bytes_per_second(options.slow_link))) {
    throw Stop(wrong_usage, given.servers == 1 ? "--slow-link is between servers: add --servers 2"
                                               : fmt::format("--slow-link {} is not a rate, such as 1Gbit or 100Mbit",
                                                             options.slow_link));
  }
  Command command = options.rest;
  command[0] = program_of(command[0], options.cuda);
  const auto child = [&command](int /*rank*/) { return replace_with(command); };
  const auto enter = launch::place(given, options.slow_link);
  if (!given.instead.empty()) fmt::print(stderr, "the ranks are on {}\n", given.instead);
  try {
    return launch::run(given, child, enter);
  } catch (const launch::Problem& problem) {
    throw Stop(wrong_usage, problem.what());
  }
}

}  // namespace

Subcommand launch_subcommand() {
  return {"launch",
          "start a program as several processes",
          launch_program,
          {{"-n,--nproc", "the number of processes, 1 to 64", &Options::ranks, true, launch::max_ranks},
           {"--servers", "the number of servers, which are network namespaces of this machine where it allows them",
            &Options::servers, false, launch::max_ranks},
           {"--slow-link", "the rate of the link between servers, such as 1Gbit", &Options::slow_link},
           cuda_option()},
          Subcommand::Rest::program};
}

}  // namespace d2l::runner
