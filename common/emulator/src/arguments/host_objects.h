// SPDX-License-Identifier: MIT
// Objects of the host to which parameters of kernels refer.
#pragma once

#include <string>

#include "execution/run_kernel.h"

namespace d2l::emulator {

/// What a fault at this address means if it is of an object of the host to which a parameter refers; else empty.
std::string host_object_text(const KernelLaunch& launch, const void* address);

}  // namespace d2l::emulator
