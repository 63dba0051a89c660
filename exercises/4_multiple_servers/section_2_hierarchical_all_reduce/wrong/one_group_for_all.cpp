// SPDX-License-Identifier: MIT
// Adds up the sums of the servers in the group of all ranks, where each sum counts as often as it is there.
// Fails: sum: off by
// Fails: between: bytes to other servers
// May fail: shapes
#include <vector>

#include "exercise.h"

using namespace d2l;

void hierarchical_all_reduce(Tensor& data, int ranks_per_server) {
  const int servers = distributed::get_world_size() / ranks_per_server;
  const int own = distributed::get_rank() / ranks_per_server;
  distributed::ProcessGroup within;
  std::vector<int> first_ranks;
  for (int server = 0; server < servers; ++server) {
    std::vector<int> ranks;
    for (int i = 0; i < ranks_per_server; ++i) ranks.push_back(server * ranks_per_server + i);
    first_ranks.push_back(ranks.front());
    const auto group = distributed::new_group(ranks);
    if (server == own) within = group;
  }
  const auto between = distributed::new_group(first_ranks);
  distributed::all_reduce(data, distributed::ReduceOp::SUM, within).wait();
  static_cast<void>(between);
  distributed::all_reduce(data, distributed::ReduceOp::SUM).wait();
  distributed::broadcast(data, 0, within).wait();
}
