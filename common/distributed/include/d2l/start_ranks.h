// SPDX-License-Identifier: MIT
/// @file
/// start_ranks: a program that starts its own ranks.
#pragma once

#include <string>

namespace d2l {

/// Where start_ranks() puts the ranks.
struct StartOptions {
  int servers = 1;  ///< ranks are put on this many servers, in equal parts: network namespaces of this machine
  std::string slow_link = {};  ///< the rate of the link between servers, such as "1Gbit"; no limit if empty
};

/// Where start_ranks() has put the ranks.
struct StartedRanks {
  bool on_servers = false;   ///< whether each server is a network namespace, with an address of its own
  std::string instead = {};  ///< if not: what stands for the servers, and why, for the end of a sentence
};

/// Continues as `ranks` processes from here on: each returns from the call with RANK, WORLD_SIZE and the other
/// variables that init_process_group() reads. Call it first in main(), before any device is used. The first process
/// does not return: it waits for the others, ends them if one fails or ends before it has joined the process group, and
/// exits with the exit code of that rank, or with 2 if that is 0. Only what rank 0 shows is shown. In a process that is
/// a rank already, as under ./learn launch, the call starts nothing.
///
/// Where this machine allows no network namespaces, all ranks are on one server, with the variables of several, and the
/// backend `gloo` limits the rate between the ranks of different servers to `slow_link`; the result says so.
/// ConfigurationError for invalid options, if no address of this machine accepts connections, and if the system refuses
/// the processes.
StartedRanks start_ranks(int ranks, const StartOptions& options = {});

}  // namespace d2l
