// SPDX-License-Identifier: MIT
// Reads the variables in another order: a program that torchrun starts within Slurm gets the wrong number.
// Fails: launchers: as the local rank
// May fail: malformed
#include <charconv>

#include "d2l/d2l.h"
#include "exercise.h"

int local_rank_of(const std::map<std::string, std::string>& environment) {
  for (const char* name : {"SLURM_LOCALID", "LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_RANK"}) {
    const auto found = environment.find(name);
    if (found == environment.end()) continue;
    const std::string& text = found->second;
    int rank = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), rank);
    if (error == std::errc() && end == text.data() + text.size() && rank >= 0) return rank;
    throw d2l::ValueError(std::string(name) + " is \"" + text + "\", not a number from 0 on");
  }
  return 0;
}

std::vector<int> gpus_of(int local_rank, int ranks, int gpus) {
  if (gpus == 0) return {};
  if (gpus < ranks) return {local_rank * gpus / ranks};
  std::vector<int> own;
  for (int i = gpus * local_rank / ranks; i < gpus * (local_rank + 1) / ranks; ++i) own.push_back(i);
  return own;
}
