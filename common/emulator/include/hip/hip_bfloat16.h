// SPDX-License-Identifier: MIT
// In place of HIP's header: the older class for bfloat16.
#pragma once

#include "hip/hip_bf16.h"

using hip_bfloat16 = __hip_bfloat16;  // NOLINT: HIP's name
