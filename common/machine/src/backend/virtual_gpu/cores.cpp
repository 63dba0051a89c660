// SPDX-License-Identifier: MIT
#include "backend/virtual_gpu/cores.h"

#include <atomic>

namespace d2l::backend {
namespace {

std::atomic<int> cores_of_gpu{1};

}  // namespace

int virtual_cores() noexcept { return cores_of_gpu; }
void set_virtual_cores(int cores) noexcept { cores_of_gpu = cores; }

}  // namespace d2l::backend
