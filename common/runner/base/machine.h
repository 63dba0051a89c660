// SPDX-License-Identifier: MIT
// What the runner must know of the machine before anything is built: its GPUs, the CUDA toolkit, how much to do at
// once.
#pragma once

#include <filesystem>

namespace d2l::runner {

/// How many NVIDIA GPUs the driver shows; 0 without a driver, or with a broken one.
int physical_gpus();
/// The CUDA compiler: $CUDACXX, along PATH, in $CUDA_HOME or in /usr/local/cuda; empty when there is none.
std::filesystem::path cuda_compiler();
/// How many compilers may run at once here: one a core, and one for each 1.5 GiB of free memory.
int parallel_jobs();

}  // namespace d2l::runner
