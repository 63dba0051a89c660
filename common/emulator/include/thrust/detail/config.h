// SPDX-License-Identifier: MIT
// Thrust's header, and the runtime, which a .cpp file too has from the device system of CUDA.
#pragma once

#include_next <thrust/detail/config.h>

#include "../../cuda_runtime_api.h"
