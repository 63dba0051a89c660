// SPDX-License-Identifier: MIT
// The names are in a list, and the first one that is set decides. from_chars reads a
// number and says where it stopped, so "1x" and an empty text are errors. With enough
// GPUs, ranks get neighbouring ones, which often share a faster link; with too few,
// neighbouring ranks share one.
#include <charconv>

#include "exercise.h"

int local_rank_of(const std::map<std::string, std::string>& environment) {
  for (const char* name :
       {"LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "SLURM_LOCALID"}) {
    const auto found = environment.find(name);
    if (found == environment.end()) continue;
    const std::string& text = found->second;
    int rank = -1;
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), rank);
    if (error == std::errc() && end == text.data() + text.size() && rank >= 0)
      return rank;
    throw d2l::ValueError(std::string(name) + " is \"" + text +
                          "\", not a number from 0 on");
  }
  return 0;
}

std::vector<int> gpus_of(int local_rank, int ranks, int gpus) {
  if (gpus == 0) return {};
  if (gpus < ranks) return {local_rank * gpus / ranks};
  std::vector<int> own;
  for (int i = gpus * local_rank / ranks; i < gpus * (local_rank + 1) / ranks; ++i)
    own.push_back(i);
  return own;
}
