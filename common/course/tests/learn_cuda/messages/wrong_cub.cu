// SPDX-License-Identifier: MIT
// A sum of structures that cannot be added.
#include <cub/cub.cuh>

struct Point {
  float x, y;
};

__global__ void sum(const Point* in, Point* out) {
  __shared__ typename cub::BlockReduce<Point, 128>::TempStorage storage;
  const Point all = cub::BlockReduce<Point, 128>(storage).Sum(in[threadIdx.x]);
  if (threadIdx.x == 0) *out = all;
}

int main() { sum<<<1, 128>>>(nullptr, nullptr); }
