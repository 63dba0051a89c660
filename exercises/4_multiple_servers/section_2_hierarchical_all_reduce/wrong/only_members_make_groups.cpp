// SPDX-License-Identifier: MIT
// Makes the group of the first ranks on these ranks alone, so that the ranks call different things.
// Fails: sum: .
// Fails: between: .
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
  distributed::ProcessGroup between;
  if (distributed::get_rank(within) == 0) between = distributed::new_group(first_ranks);
  distributed::reduce(data, 0, distributed::ReduceOp::SUM, within).wait();
  if (distributed::get_rank(within) == 0) distributed::all_reduce(data, distributed::ReduceOp::SUM, between).wait();
  distributed::broadcast(data, 0, within).wait();
}
