// SPDX-License-Identifier: MIT
#pragma once

__constant__ const float factor = 3;

template <class T>
__device__ T scaled(T x) {
  __shared__ T mine[128];
  mine[threadIdx.x] = x;
  return static_cast<T>(factor) * mine[threadIdx.x];
}

void launch_scale(float* x, int n);
