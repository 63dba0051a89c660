// SPDX-License-Identifier: MIT
// In place of the toolkit's header.
#pragma once

#include <limits>

#define CUDART_INF_F std::numeric_limits<float>::infinity()
#define CUDART_NAN_F std::numeric_limits<float>::quiet_NaN()
#define CUDART_MAX_NORMAL_F 3.402823466e38F
#define CUDART_MIN_DENORM_F 1.401298464e-45F
#define CUDART_PI_F 3.141592654F
#define CUDART_PIO2_F 1.570796327F
#define CUDART_PIO4_F 0.785398163F
#define CUDART_2_OVER_PI_F 0.636619772F
#define CUDART_SQRT_TWO_F 1.414213562F
#define CUDART_LN2_F 0.693147181F
#define CUDART_L2E_F 1.442695041F
#define CUDART_ZERO_F 0.0F
#define CUDART_ONE_F 1.0F
#define CUDART_INF std::numeric_limits<double>::infinity()
#define CUDART_NAN std::numeric_limits<double>::quiet_NaN()
#define CUDART_PI 3.1415926535897931e+0
#define CUDART_PIO2 1.5707963267948966e+0
#define CUDART_SQRT_TWO 1.4142135623730951e+0
#define CUDART_LN2 6.9314718055994529e-1
#define CUDART_L2E 1.4426950408889634e+0
