// SPDX-License-Identifier: MIT
// Right uses of arrays, textures and surfaces.
#include "textures.h"

PROGRAM(texture_of_written_array, "") {
  const cudaArray_t array = new_array();
  const cudaTextureObject_t texture = texture_of(array);
  float* out = device_memory<float>();
  fetch_row<<<1, 16>>>(texture, 0.5f, out);
  REQUIRE(cudaDestroyTextureObject(texture) == cudaSuccess);  // waits for the kernel
  REQUIRE(cudaFreeArray(array) == cudaSuccess);
}
PROGRAM(elements_with_weight_only, "") {
  const cudaArray_t array = new_array(false, false);
  const std::vector<float> values(columns, 1);
  cudaMemcpy2DToArray(array, 0, 2, values.data(), row_bytes, row_bytes, 1, cudaMemcpyHostToDevice);
  float* out = device_memory<float>();
  fetch_row<<<1, 16>>>(texture_of(array), 2.5f, out);  // the centre of a row: its neighbours have the weight 0
  cudaDeviceSynchronize();
}
PROGRAM(surface_then_texture, "") {
  const cudaArray_t array = new_array(true, false);
  float* out = device_memory<float>();
  write_row<<<1, 16>>>(surface_of(array), 0, 4);
  fetch_row<<<1, 16>>>(texture_of(array), 0.5f, out);
  cudaDeviceSynchronize();
}
PROGRAM(copy_in_order, "") {
  const cudaArray_t array = new_array();
  const cudaTextureObject_t texture = texture_of(array);
  float* out = device_memory<float>();
  float* h = reinterpret_cast<float*>(pinned_memory());
  cudaStream_t a = stream(), b = stream();
  cudaMemcpy2DToArrayAsync(array, 0, 0, h, row_bytes, row_bytes, rows, cudaMemcpyHostToDevice, a);
  order(a, b);
  fetch_row<<<1, 16, 0, b>>>(texture, 0.5f, out);
  cudaDeviceSynchronize();
}
PROGRAM(refused_description_read, "") {
  const cudaResourceDesc resource = resource_of(new_array());
  cudaSurfaceObject_t surface = 0;
  REQUIRE(cudaCreateSurfaceObject(&surface, &resource) == cudaErrorInvalidValue);
  cudaGetLastError();
}
PROGRAM(levels_are_freed_together, "") {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMipmappedArray_t array;
  REQUIRE(cudaMallocMipmappedArray(&array, &format, make_cudaExtent(columns, rows, 0), 3) == cudaSuccess);
  REQUIRE(cudaFreeMipmappedArray(array) == cudaSuccess);
}
