// SPDX-License-Identifier: MIT
#include "launch/launchers.h"

#include <cstdlib>

namespace d2l::launch {

std::optional<std::string> variable(const char* name) {
  const char* const text = std::getenv(name);
  if (text == nullptr || *text == '\0') return std::nullopt;
  return text;
}

const Launcher* launcher_of_process() {
  if (variable(torchrun.rank) || variable(torchrun.world_size)) return &torchrun;
  if (variable(open_mpi.rank) && variable(open_mpi.world_size)) return &open_mpi;
  if (variable(slurm.rank) && variable(slurm.world_size).value_or("1") != "1") return &slurm;
  return nullptr;
}

}  // namespace d2l::launch
