// SPDX-License-Identifier: MIT
// In place of hipRAND's header: its names for the generators that kernels use.
#pragma once

#include "curand_kernel.h"
#include "hiprand/hiprand.h"

// NOLINTBEGIN: the names are HIP's.
#define hiprand4 curand4
#define hiprandState curandState
#define hiprandStateMRG32k3a curandStateMRG32k3a
#define hiprandStateMRG32k3a_t curandStateMRG32k3a_t
#define hiprandStatePhilox4_32_10 curandStatePhilox4_32_10
#define hiprandStatePhilox4_32_10_t curandStatePhilox4_32_10_t
#define hiprandStateXORWOW curandStateXORWOW
#define hiprandStateXORWOW_t curandStateXORWOW_t
#define hiprandState_t curandState_t
#define hiprand_init curand_init
#define hiprand_log_normal curand_log_normal
#define hiprand_log_normal_double curand_log_normal_double
#define hiprand_normal curand_normal
#define hiprand_normal2 curand_normal2
#define hiprand_normal2_double curand_normal2_double
#define hiprand_normal4 curand_normal4
#define hiprand_normal_double curand_normal_double
#define hiprand_poisson curand_poisson
#define hiprand_uniform curand_uniform
#define hiprand_uniform2_double curand_uniform2_double
#define hiprand_uniform4 curand_uniform4
#define hiprand_uniform_double curand_uniform_double
#define hiprand curand
// NOLINTEND
