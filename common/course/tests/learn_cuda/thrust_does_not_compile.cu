// SPDX-License-Identifier: MIT
// An error inside Thrust: the function takes other arguments.
#include <thrust/device_vector.h>
#include <thrust/transform.h>

struct Length {
  __device__ float operator()(const char* text) const { return text == nullptr ? 0 : 1; }
};

int main() {
  const thrust::device_vector<float> numbers(10);
  thrust::device_vector<float> lengths(10);
  thrust::transform(numbers.begin(), numbers.end(), lengths.begin(), Length());
}
