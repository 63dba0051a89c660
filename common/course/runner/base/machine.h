// SPDX-License-Identifier: MIT
// The properties of the machine that the runner needs before it builds: GPUs, CUDA toolkit, parallel jobs.
#pragma once

#include <filesystem>

namespace d2l::runner {

/// The NVIDIA GPUs that a program started now can see.
struct PhysicalGpus {
  int count = 0;        ///< 0 when the driver is missing or broken, or CUDA_VISIBLE_DEVICES hides the GPUs
  int driver_cuda = 0;  ///< the newest CUDA version that the driver supports: 12040 for 12.4
};
/// Asks the driver's library, libcuda.so.1.
PhysicalGpus physical_gpus();
/// The CUDA compiler in $CUDACXX, PATH, $CUDA_HOME or /usr/local/cuda; empty when there is none.
std::filesystem::path cuda_compiler();
/// The CUDA version of a compiler: 12040 for 12.4; 0 when it does not tell.
int cuda_version_of(const std::filesystem::path& compiler);
/// The number of compilers to run in parallel: at most one per core and one per 1.5 GiB of free memory.
int parallel_jobs();

}  // namespace d2l::runner
