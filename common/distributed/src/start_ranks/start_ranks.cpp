// SPDX-License-Identifier: MIT
#include "d2l/start_ranks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>

#include "base/message.h"
#include "d2l/device.h"
#include "launch/launchers.h"
#include "launch/placement.h"
#include "launch/problem.h"
#include "launch/ranks.h"
#include "launch/rate.h"
#include "output/output_sink.h"

namespace d2l {

namespace {

/// The rank that a launcher has given this process; nullopt if there is none.
std::optional<int> given_rank() {
  const launch::Launcher* const launcher = launch::launcher_of_process();
  if (launcher == nullptr) return std::nullopt;
  return std::atoi(launch::variable(launcher->rank).value_or("0").c_str());
}

/// Where a launcher has put this rank.
StartedRanks place_of_rank(const StartOptions& options) {
  if (options.servers == 1) return {};
  if (std::getenv("D2L_SERVERS") != nullptr) return {.on_servers = true};
  if (const char* const instead = std::getenv("D2L_SERVERS_INSTEAD")) return {.instead = instead};
  return {.instead = fmt::format("one server, because they were not started with --servers {}", options.servers)};
}

[[noreturn]] void refuse(int ranks, const StartOptions& options, const std::string& problem, const char* fix) {
  detail::fail<ConfigurationError>("start_ranks", problem,
                                   fmt::format("({} ranks, servers: {})", ranks, options.servers), fix);
}

}  // namespace

StartedRanks start_ranks(int ranks, const StartOptions& options) {
  launch::Options given{.ranks = ranks, .servers = options.servers, .first_alone = true};
  auto problem = launch::problem_of(given);
  if (problem.empty() && !options.slow_link.empty() && !launch::bytes_per_second(options.slow_link)) {
    problem = fmt::format("\"{}\" is not a rate, such as 1Gbit or 100Mbit", options.slow_link);
  }
  if (!problem.empty()) refuse(ranks, options, problem, "change the number of ranks or the options");
  if (const auto rank = given_rank()) {
    if (*rank > 0) detail::mute();
    return place_of_rank(options);
  }
  // The servers are those of the ranks: the process that waits for them keeps them.
  const auto enter = launch::place(given, options.slow_link);
  try {
    launch::continue_as_ranks(given, enter);
  } catch (const launch::Problem& found) {
    refuse(ranks, options, found.what(), "change what it names, and start the program again");
  }
  set_num_threads(std::max(std::atoi(std::getenv("OMP_NUM_THREADS")), 1));
  if (given_rank().value_or(0) > 0) detail::mute();
  return place_of_rank(options);
}

}  // namespace d2l
