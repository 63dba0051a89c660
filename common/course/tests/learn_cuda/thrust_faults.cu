// SPDX-License-Identifier: MIT
// A function that reads beyond the tensor, and one that writes where another thread writes.
#include <d2l/d2l.h>
#include <d2l/thrust.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/transform.h>

int main(int arguments, char**) {
  d2l::Tensor x = d2l::ones({1000}, d2l::gpu(0));
  float* const data = x.data_ptr<float>();
  const thrust::counting_iterator<int> first(0);
  if (arguments == 1) {
    thrust::for_each(d2l::thrust_policy(), first, first + 1000, [=] __device__(int i) { data[i] = data[i + 1]; });
  } else {
    thrust::transform(d2l::thrust_policy(), data, data + 1001, data, [] __device__(float value) { return value; });
  }
  cudaDeviceSynchronize();
}
