// SPDX-License-Identifier: MIT
// In place of HIP's header: groups of threads.
#pragma once

#include "cooperative_groups.h"
#include "hip/hip_runtime.h"
