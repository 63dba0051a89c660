// SPDX-License-Identifier: MIT
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/sort.h>

void sort_on_the_device(thrust::host_vector<int>& values) {
  thrust::device_vector<int> device = values;
  thrust::sort(device.begin(), device.end());
  thrust::copy(device.begin(), device.end(), values.begin());
}
