// SPDX-License-Identifier: MIT
// The tensors' stream and the other streams do not wait for each other; a held device holds all of its streams.
#include <d2l/d2l.h>
#include <d2l/stream.h>
#include <d2l/testing.h>

#include <chrono>
#include <thread>

#include "verify.h"

__global__ void fill(float* x, float value) { x[threadIdx.x] = value; }

int main() {
  CHECK(cudaSetDevice(0));
  const d2l::Device gpu = d2l::gpu(0);
  cudaStream_t other;
  CHECK(cudaStreamCreate(&other));
  float* memory;
  CHECK(cudaMalloc(&memory, 32 * sizeof(float)));

  unsigned flags = 0;
  CHECK(cudaStreamGetFlags(d2l::stream(gpu), &flags));
  REQUIRE(flags == cudaStreamNonBlocking);
  {
    d2l::testing::HeldQueue held(gpu);
    cudaStream_t late;
    CHECK(cudaStreamCreate(&late));
    fill<<<1, 32>>>(memory, 1);
    fill<<<1, 32, 0, other>>>(memory, 2);
    fill<<<1, 32, 0, late>>>(memory, 3);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));  // enough for streams that are not held
    REQUIRE(cudaStreamQuery(nullptr) == cudaErrorNotReady);
    REQUIRE(cudaStreamQuery(other) == cudaErrorNotReady);
    REQUIRE(cudaStreamQuery(late) == cudaErrorNotReady);
    REQUIRE(cudaStreamQuery(d2l::stream(gpu)) == cudaSuccess);
    held.release();
    CHECK(cudaStreamDestroy(late));
  }
  CHECK(cudaDeviceSynchronize());

  // Memory that a tensor returned while work on it is pending is used after that work.
  for (int round = 0; round < 200; ++round) {
    {
      d2l::Tensor x = d2l::zeros({32}, gpu);
      for (int i = 0; i < 50; ++i) x += 1.0;
    }
    float* taken;
    CHECK(cudaMalloc(&taken, 32 * sizeof(float)));
    fill<<<1, 32>>>(taken, 7);
    float host[32];
    CHECK(cudaMemcpy(host, taken, sizeof host, cudaMemcpyDeviceToHost));
    REQUIRE(host[0] == 7 && host[31] == 7);
    CHECK(cudaFree(taken));
  }
  // A wait for the device is one for all of its streams.
  {
    d2l::testing::HeldQueue held(gpu);
    fill<<<1, 32>>>(memory, 4);
    fill<<<1, 32, 0, other>>>(memory, 5);
    held.release();
    d2l::synchronize(gpu);
    REQUIRE(cudaStreamQuery(nullptr) == cudaSuccess && cudaStreamQuery(other) == cudaSuccess);
  }

  // Copies know the memory of tensors: that of the device, which no kernel has used, and pinned memory, for which
  // nothing waits.
  {
    d2l::Tensor landing = d2l::zeros({32}).pin_memory();
    const d2l::Tensor sevens = d2l::full({32}, 7.0f, gpu);
    d2l::synchronize();
    const float* const landed = landing.data_ptr<float>();
    d2l::testing::HeldQueue held(gpu);
    CHECK(cudaMemcpyAsync(landing.data_ptr<float>(), sevens.data_ptr<float>(), 128, cudaMemcpyDeviceToHost, other));
    REQUIRE(landed[31] == 0);
    held.release();
    CHECK(cudaStreamSynchronize(other));
    REQUIRE(landed[31] == 7);
    REQUIRE(cudaMemcpyAsync(landing.data_ptr<float>() + 1, sevens.data_ptr<float>(), 128, cudaMemcpyDeviceToHost,
                            other) == cudaErrorInvalidValue);
    REQUIRE(cudaGetLastError() == cudaErrorInvalidValue);

    // The memory of a pinned tensor that is gone is ordinary memory again.
    float* const gone = landing.data_ptr<float>();
    landing = d2l::Tensor();
    cudaPointerAttributes attributes;
    CHECK(cudaPointerGetAttributes(&attributes, gone));
    REQUIRE(attributes.type == cudaMemoryTypeUnregistered);
  }
  CHECK(cudaStreamDestroy(other));
  CHECK(cudaFree(memory));
  return passed();
}
