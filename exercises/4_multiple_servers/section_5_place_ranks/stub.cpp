// SPDX-License-Identifier: MIT
#include "exercise.h"

int local_rank_of(const std::map<std::string, std::string>& environment) {
  // TODO: three launchers.
  static_cast<void>(environment);
  return -1;
}

std::vector<int> gpus_of(int local_rank, int ranks, int gpus) {
  // TODO: every rank uses the first GPU.
  static_cast<void>(local_rank);
  static_cast<void>(ranks);
  static_cast<void>(gpus);
  return {0, 0};
}
