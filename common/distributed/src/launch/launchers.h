// SPDX-License-Identifier: MIT
// Launchers: the variables by which programs that start several processes tell each which one it is.
#pragma once

#include <optional>
#include <string>

namespace d2l::launch {

/// The names of one launcher's variables.
struct Launcher {
  const char* rank;
  const char* world_size;
  const char* local_rank;
  const char* local_world_size;  ///< null if there is none
};

/// Of ./learn launch, start_ranks() and torchrun.
inline constexpr Launcher torchrun{"RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE"};
inline constexpr Launcher open_mpi{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK",
                                   "OMPI_COMM_WORLD_LOCAL_SIZE"};
/// Of a step that srun has started. SLURM_NTASKS is the number of tasks of a whole job, also in its script, which is
/// one process.
inline constexpr Launcher slurm{"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", nullptr};

/// A variable of the environment; nullopt if it is not set, or empty.
std::optional<std::string> variable(const char* name);

/// The launcher that has started this process as one of several; null if there is none. A step of Slurm with one task,
/// as of `srun --pty bash`, is none.
const Launcher* launcher_of_process();

}  // namespace d2l::launch
