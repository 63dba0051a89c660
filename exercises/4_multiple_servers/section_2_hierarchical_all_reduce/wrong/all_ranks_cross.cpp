// SPDX-License-Identifier: MIT
// Every rank takes part in the sum between the servers, after a sum within each: the result is right where only one
// group of such ranks is used, and here each rank of a server sends to the other servers.
// Fails: between: bytes to other servers
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
  std::vector<distributed::ProcessGroup> between;
  for (int i = 0; i < ranks_per_server; ++i) {
    std::vector<int> ranks;
    for (const int first : first_ranks) ranks.push_back(first + i);
    between.push_back(distributed::new_group(ranks));
  }
  distributed::all_reduce(data, distributed::ReduceOp::SUM, within).wait();
  distributed::all_reduce(data, distributed::ReduceOp::SUM,
                          between[static_cast<std::size_t>(distributed::get_rank(within))])
      .wait();
}
