// SPDX-License-Identifier: MIT
// The sum of a server is made within it, so that only one tensor of each server crosses
// the slow links, in a ring of the servers. All ranks make all groups in the same
// order, because a group is made by all ranks together. In the group of a server, its
// first rank has the rank 0.
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
    for (int i = 0; i < ranks_per_server; ++i)
      ranks.push_back(server * ranks_per_server + i);
    first_ranks.push_back(ranks.front());
    const auto group = distributed::new_group(ranks);
    if (server == own) within = group;
  }
  const auto between = distributed::new_group(first_ranks);
  distributed::reduce(data, 0, distributed::ReduceOp::SUM, within).wait();
  if (distributed::get_rank(within) == 0)
    distributed::all_reduce(data, distributed::ReduceOp::SUM, between).wait();
  distributed::broadcast(data, 0, within).wait();
}
