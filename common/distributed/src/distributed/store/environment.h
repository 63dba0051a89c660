// SPDX-License-Identifier: MIT
// RankEnvironment: the rank of this process, and where the others are, from options and the environment of a launcher.
#pragma once

#include <optional>
#include <string>

namespace d2l::distributed::detail {

/// What a program asks for; the environment has the rest.
struct Asked {
  std::optional<int> rank = std::nullopt;
  std::optional<int> world_size = std::nullopt;
  std::optional<std::string> master_addr = std::nullopt;
  std::optional<int> master_port = std::nullopt;
};

struct RankEnvironment {
  int rank = 0;
  int world_size = 1;
  int local_rank = 0;
  int local_world_size = 1;
  std::string master_addr = "127.0.0.1";
  int master_port = 29500;
};

/// From `asked`, then RANK, WORLD_SIZE and so on, then the variables of Open MPI or of Slurm; else one process.
/// ConfigurationError for what is malformed or missing.
RankEnvironment find_rank_environment(const Asked& asked);
/// "node03" of Slurm's list "node[03-05,9],x7".
std::string first_host(const std::string& node_list);

}  // namespace d2l::distributed::detail
