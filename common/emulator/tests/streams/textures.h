// SPDX-License-Identifier: MIT
// The arrays and kernels of the programs with textures.
#pragma once

#include "programs.h"

constexpr int columns = 16, rows = 8;
constexpr int row_bytes = columns * sizeof(float);

/// The report names the line of the access in the kernel.
#define LATER_IN_KERNEL(KERNEL) tell("later", "textures.h", line_of_##KERNEL)

static cudaArray_t new_array(bool of_surface = false, bool written = true) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  cudaMallocArray(&array, &format, columns, rows, of_surface ? cudaArraySurfaceLoadStore : cudaArrayDefault);
  const std::vector<float> values(columns * rows, 1);
  if (written) cudaMemcpy2DToArray(array, 0, 0, values.data(), row_bytes, row_bytes, rows, cudaMemcpyHostToDevice);
  return array;
}
static cudaResourceDesc resource_of(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}
static cudaTextureObject_t texture_of(cudaArray_t array) {
  const cudaResourceDesc resource = resource_of(array);
  cudaTextureDesc description = {};
  description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
  description.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t texture = 0;
  cudaCreateTextureObject(&texture, &resource, &description, nullptr);
  return texture;
}
[[maybe_unused]] static cudaSurfaceObject_t surface_of(cudaArray_t array) {
  const cudaResourceDesc resource = resource_of(array);
  cudaSurfaceObject_t surface = 0;
  cudaCreateSurfaceObject(&surface, &resource);
  return surface;
}

static __global__ void write_row(cudaSurfaceObject_t surface, int y, int element) {
  surf2Dwrite(1.0f, surface, threadIdx.x * element, y);
}
[[maybe_unused]] constexpr int line_of_write_row = __LINE__ - 2;
static __global__ void read_row(cudaSurfaceObject_t surface, int y, float* out) {
  out[threadIdx.x] = surf2Dread<float>(surface, threadIdx.x * 4, y);
}
[[maybe_unused]] constexpr int line_of_read_row = __LINE__ - 2;
static __global__ void fetch_row(cudaTextureObject_t texture, float y, float* out) {
  out[threadIdx.x] = tex2D<float>(texture, threadIdx.x + 0.5f, y);
}
[[maybe_unused]] constexpr int line_of_fetch_row = __LINE__ - 2;
static __global__ void fetch_line(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex1D<float>(texture, threadIdx.x + 0.5f);
}
[[maybe_unused]] constexpr int line_of_fetch_line = __LINE__ - 2;
static __global__ void pass_on(cudaSurfaceObject_t surface, float* out) {
  if (threadIdx.x == 0) surf2Dwrite(1.0f, surface, 0, 0);
  if (threadIdx.x == 1) out[0] = surf2Dread<float>(surface, 0, 0);
}
