// SPDX-License-Identifier: MIT
// Starts a program as several ranks, forwards what they print, and ends all when one fails.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace d2l::launch {

inline constexpr int max_ranks = 64;

struct Options {
  int ranks = 1;
  int servers = 1;
  std::string master_addr = {};  ///< empty for any at which the processes of this machine reach each other
  int master_port = 0;           ///< 0 for any free one
  bool first_alone = false;  ///< what rank 0 prints has no prefix, and the standard output of the others is discarded
  /// How long the other ranks may go on after one has failed, so that they can say why they end.
  std::chrono::milliseconds grace = std::chrono::seconds(5);
  double bytes_per_second = 0;  ///< of the modelled link between servers that are not separate; 0 for no limit
  bool separate = false;        ///< the servers are network namespaces
  std::string instead = {};     ///< if they are not: what stands for them, and why
};

/// The variables that torchrun sets, for one rank, and D2L_SERVERS or D2L_SERVERS_INSTEAD if there are several servers.
std::vector<std::pair<std::string, std::string>> variables_of(const Options& options, int rank);
/// Why `options` cannot be met; empty if they can.
std::string problem_of(const Options& options);

/// Forks the ranks. In each of them `child` is called, and must not return in any other way than by its exit code. The
/// calling process forwards their output line by line until all have ended; if one fails, the others are ended after
/// the grace, with the processes that they have started. They are ended at once, with a message, if they wait for a
/// rank to join the process group that has ended. Returns the exit code of the first that failed, 128 + the signal if a
/// signal ended it, 2 if one ended before it joined, else 0. `enter` is called first in each rank, with its server.
/// Problem, and no rank is left, if the ranks cannot be started.
int run(const Options& options, const std::function<int(int rank)>& child,
        const std::function<void(int server)>& enter = nullptr);
/// The same, but the ranks return from the call, and the calling process does not: it exits with that code.
void continue_as_ranks(const Options& options, const std::function<void(int server)>& enter = nullptr);

}  // namespace d2l::launch
