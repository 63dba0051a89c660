// SPDX-License-Identifier: MIT
// What the two files share: functions, variables, tables of functions, and classes of the device.
#pragma once

struct Shape {
  __device__ virtual float area() const = 0;
  __device__ virtual ~Shape() {}
};

extern __device__ int counter;
extern __constant__ float factors[4];
extern __managed__ int total;
using Operation = float (*)(float);
extern __device__ Operation operations[2];

__device__ float multiplied(float x, int which);
extern "C" __global__ void make_ten_times(float* x, int n);
__global__ void make_shapes(Shape** shapes);
template <class T>
__global__ void count_all(T* out) {
  *out = counter;
}
extern template __global__ void count_all<long>(long* out);
/// Uses the variables of the other file.
void use_from_the_other_file();
