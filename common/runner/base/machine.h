// SPDX-License-Identifier: MIT
// The properties of the machine that the runner needs before it builds: GPUs, CUDA toolkit, parallel jobs.
#pragma once

#include <filesystem>

namespace d2l::runner {

/// The number of NVIDIA GPUs; 0 when the driver is missing or broken.
int physical_gpus();
/// The CUDA compiler in $CUDACXX, PATH, $CUDA_HOME or /usr/local/cuda; empty when there is none.
std::filesystem::path cuda_compiler();
/// The number of compilers to run in parallel: at most one per core and one per 1.5 GiB of free memory.
int parallel_jobs();

}  // namespace d2l::runner
