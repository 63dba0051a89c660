// SPDX-License-Identifier: MIT
// In place of Thrust's header, which undefines __host__ and __device__ for the toolkit's functions.
#pragma once

#include "cuda_runtime_api.h"
