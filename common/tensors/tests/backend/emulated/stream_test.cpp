// SPDX-License-Identifier: MIT
// The streams of the CUDA backend, which programs compiled by nvcc use.
#include "d2l/stream.h"

#include <cuda_runtime.h>

#include "gtest/gtest.h"
#include "library.h"

namespace d2l {
namespace {

TEST(Stream, IsInOrderWithTensorOperations) {
  for (int i = 0; i < num_gpus(); ++i) {
    Tensor x = full({1000}, 3.0, gpu(i));
    const cudaStream_t queue = stream(gpu(i));
    ASSERT_EQ(cudaMemsetAsync(x.data_ptr<float>(), 0, 4000, queue), cudaSuccess);
    EXPECT_EQ((x + 1.0).sum().item<float>(), 1000.0f);
    EXPECT_EQ(queue, stream(gpu(i)));
  }
}

TEST(Stream, RefusesOtherDevices) {
  EXPECT_THROW(stream(cpu()), DeviceError);
  EXPECT_THROW(stream(gpu(num_gpus())), DeviceError);
}

}  // namespace
}  // namespace d2l
