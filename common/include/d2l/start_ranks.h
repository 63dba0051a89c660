// SPDX-License-Identifier: MIT
/// @file
/// start_ranks: a program that starts its own ranks.
#pragma once

#include <string>

namespace d2l {

/// Where start_ranks() puts the ranks.
struct StartOptions {
  int servers = 1;             ///< ranks are put on so many servers, in equal parts: network namespaces of this machine
  std::string slow_link = {};  ///< the rate of the link between servers, such as "1Gbit"; no limit if empty
};

/// Continues as `ranks` processes from here on: each returns from the call with RANK, WORLD_SIZE and the other
/// variables that init_process_group() reads. Call it first in main(), before any device is used. The first process
/// does not return: it waits for the others, ends them if one fails, and exits with that one's exit code. Only what
/// rank 0 shows is shown. In a process that is a rank already, as under ./learn launch, the call does nothing. Returns
/// whether the ranks are on so many servers: false if this machine allows no network namespaces or has no ip and tc
/// programs; all ranks are on one server then. ConfigurationError for invalid options.
bool start_ranks(int ranks, const StartOptions& options = {});

}  // namespace d2l
