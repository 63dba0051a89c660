// SPDX-License-Identifier: MIT
// In place of HIP's header: bfloat16.
#pragma once

#include "cuda_bf16.h"
#include "hip/hip_runtime_api.h"

// NOLINTBEGIN: the names are HIP's.
using __hip_bfloat16 = __nv_bfloat16;
using __hip_bfloat162 = __nv_bfloat162;
// NOLINTEND
