// SPDX-License-Identifier: MIT
// From what a program launches to a KernelLaunch, for launches of the host and of kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "d2l_emulator/launch.h"
#include "execution/run_kernel.h"

namespace d2l::emulator {

/// The error that a card gives for this configuration; cudaSuccess if it can run.
cudaError_t check_configuration(const Configuration& configuration, std::size_t max_shared);
/// Which argument points to memory of the host, and what to do; empty if none does.
std::string host_argument(const KernelLaunch& launch);
KernelLaunch launch_of(const Configuration& configuration, const BoundKernel& kernel, int device);
/// A seed of the order of threads, or of nodes; another one in each call. 0: ascending order.
std::uint64_t seed_of_launch();

}  // namespace d2l::emulator
