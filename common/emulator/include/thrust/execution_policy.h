// SPDX-License-Identifier: MIT
// Thrust's header, and thrust::cuda: it has that with its own device system only.
#pragma once

#include_next <thrust/execution_policy.h>
#include <thrust/system/cuda/execution_policy.h>
