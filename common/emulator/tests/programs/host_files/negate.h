// SPDX-License-Identifier: MIT
// A header for both kinds of files.
#pragma once

#ifdef __CUDACC__
#define FOR_BOTH __host__ __device__
#else
#define FOR_BOTH
#endif

FOR_BOTH inline float negated(float x) { return -x; }

void launch_negate(float* x, int n);
