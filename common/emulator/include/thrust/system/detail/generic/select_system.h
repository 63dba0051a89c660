// SPDX-License-Identifier: MIT
// Thrust's header, which every algorithm includes, and thrust::system_error, which the device system of CUDA brings
// with it.
#pragma once

#include_next <thrust/system/detail/generic/select_system.h>
#include <thrust/system_error.h>
