// SPDX-License-Identifier: MIT
// A file of the host with Thrust's headers, which come before those of the runtime.
#include <thrust/host_vector.h>
#include <thrust/sequence.h>

#include <cstdio>

void sort_on_the_device(thrust::host_vector<int>& values);

int main() {
  thrust::host_vector<int> values(100);
  thrust::sequence(values.begin(), values.end(), 99, -1);
  sort_on_the_device(values);
  for (int i = 0; i < 100; ++i) {
    if (values[i] != i) return 1;
  }
  std::puts("PASSED");
}
