// SPDX-License-Identifier: MIT
// A function for the device in a .cpp file that includes nothing, as for nvcc -x cu -dc.
__host__ __device__ int halve(int value) { return value / 2; }
