// SPDX-License-Identifier: MIT
// In place of HIP's header: 16-bit floating point.
#pragma once

#include "cuda_fp16.h"
#include "hip/hip_runtime_api.h"
