// SPDX-License-Identifier: MIT
/// @file
/// run_ranks: several ranks as threads of one process, for tests and checks.
#pragma once

#include <chrono>
#include <functional>

namespace d2l::distributed {

/// Runs `work(rank)` in `ranks` threads, each a rank of one process group: get_rank(), the collectives and new_group()
/// are those of the thread's rank, and all of the engine's messages go through memory instead of the network. When all
/// have ended, throws the error of the rank that failed first; a rank that throws counts as dead for the others.
/// ConfigurationError in a build without Gloo; ValueError for fewer than 1 or more than 64 ranks, and in a process that
/// has joined a group.
void run_ranks(int ranks, const std::function<void(int rank)>& work,
               std::chrono::milliseconds timeout = std::chrono::seconds(20));

}  // namespace d2l::distributed
