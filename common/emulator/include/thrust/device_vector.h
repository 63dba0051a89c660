// SPDX-License-Identifier: MIT
// Thrust's header, and what of thrust::cuda it brings with the device system of CUDA.
#pragma once

#include_next <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/system/cuda/memory_resource.h>
