// SPDX-License-Identifier: MIT
// In place of hipCUB's header: its algorithms are those of CUB.
#pragma once

#include "cub/cub.cuh"
#include "hip/hip_runtime.h"

namespace hipcub = cub;
#define HIPCUB_VERSION 300400  // NOLINT: hipCUB's name
