// SPDX-License-Identifier: MIT
#include "d2l/start_ranks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>

#include "base/message.h"
#include "d2l/device.h"
#include "launch/ranks.h"
#include "launch/servers.h"
#include "output/output_sink.h"

namespace d2l {

namespace {

/// The rank that a launcher has given this process; -1 if there is none.
int given_rank() {
  for (const char* const name : {"RANK", "OMPI_COMM_WORLD_RANK", "SLURM_PROCID"}) {
    if (const char* const text = std::getenv(name)) return std::atoi(text);
  }
  return -1;
}

}  // namespace

bool start_ranks(int ranks, const StartOptions& options) {
  launch::Options given{.ranks = ranks, .servers = options.servers, .first_alone = true};
  auto problem = launch::problem_of(given);
  if (problem.empty() && !options.slow_link.empty() && !launch::is_rate(options.slow_link)) {
    problem = fmt::format("\"{}\" is no rate, such as 1Gbit or 100Mbit", options.slow_link);
  }
  if (!problem.empty()) {
    detail::fail<ConfigurationError>("start_ranks", problem,
                                     fmt::format("({} ranks, {} servers)", ranks, options.servers),
                                     "change the number of ranks or the options");
  }
  if (const int rank = given_rank(); rank >= 0) {
    if (rank > 0) detail::mute();
    return std::getenv("D2L_SERVERS") != nullptr;
  }
  // The servers are those of the ranks: the process that waits for them keeps them.
  std::unique_ptr<launch::Servers> servers;
  if (options.servers > 1) {
    servers = std::make_unique<launch::Servers>(options.servers, options.slow_link);
    if (servers->problem().empty()) {
      given.master_addr = launch::Servers::master_addr();
      given.master_port = 29500;  // nothing else runs there
    } else {
      servers.reset();
      given.servers = 1;
    }
  }
  const bool separate = servers != nullptr;
  launch::continue_as_ranks(given, [&servers](int server) {
    if (servers == nullptr) return;
    ::setenv("D2L_SERVERS", "1", 1);
    servers->enter(server);
    static_cast<void>(servers.release());  // they belong to the process that waits
  });
  set_num_threads(std::max(std::atoi(std::getenv("OMP_NUM_THREADS")), 1));
  if (given_rank() > 0) detail::mute();
  return separate;
}

}  // namespace d2l
