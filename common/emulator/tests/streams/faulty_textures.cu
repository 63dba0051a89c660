// SPDX-License-Identifier: MIT
// Kernels with a fault in the use of arrays, textures and surfaces, and descriptions that the runtime refuses.
#include "textures.h"

PROGRAM(surface_outside,
        "^out of bounds at .*kernel write_row, block \\(0, 0, 0\\), thread \\(16, 0, 0\\): surf2Dwrite of "
        "4 bytes at x = 64, y = 2: the surface has rows of 16 float, 64 bytes, 8 rows") {
  const cudaArray_t array = new_array(true);
  LATER_IN_KERNEL(write_row);
  write_row<<<1, 17>>>(surface_of(array), 2, 4);
  cudaDeviceSynchronize();
}
PROGRAM(surface_row_outside, "^out of bounds at .*surf2Dwrite of 4 bytes at x = 0, y = 8") {
  const cudaArray_t array = new_array(true);
  LATER_IN_KERNEL(write_row);
  write_row<<<1, 1>>>(surface_of(array), 8, 4);
  cudaDeviceSynchronize();
}
PROGRAM(surface_by_columns, "^misaligned at .*surf2Dwrite of 4 bytes at x = 1: x counts bytes") {
  const cudaArray_t array = new_array(true);
  LATER_IN_KERNEL(write_row);
  write_row<<<1, 2>>>(surface_of(array), 0, 1);
  cudaDeviceSynchronize();
}
PROGRAM(surface_never_written, "^uninitialised at .*read of 4 bytes, element 32 of allocation .*cudaMallocArray at") {
  const cudaArray_t array = new_array(true, false);
  float* out = device_memory<float>();
  LATER_IN_KERNEL(read_row);
  read_row<<<1, 1>>>(surface_of(array), 2, out);
  cudaDeviceSynchronize();
}
PROGRAM(texture_never_written, "^uninitialised at .*kernel fetch_row.*read of 4 bytes, element 0 of allocation") {
  const cudaArray_t array = new_array(false, false);
  float* out = device_memory<float>();
  LATER_IN_KERNEL(fetch_row);
  fetch_row<<<1, 1>>>(texture_of(array), 0.5f, out);
  cudaDeviceSynchronize();
}
PROGRAM(array_freed, "^freed memory at .*kernel fetch_row.*cudaMallocArray at .*, which is freed") {
  const cudaArray_t array = new_array();
  const cudaTextureObject_t texture = texture_of(array);
  float* out = device_memory<float>();
  cudaFreeArray(array);
  LATER_IN_KERNEL(fetch_row);
  fetch_row<<<1, 1>>>(texture, 0.5f, out);
  cudaDeviceSynchronize();
}
PROGRAM(texture_destroyed, "^no texture at .*tex2D: 0x[0-9a-f]+ is not a texture object, or the object is destroyed") {
  const cudaTextureObject_t texture = texture_of(new_array());
  float* out = device_memory<float>();
  cudaDestroyTextureObject(texture);
  LATER_IN_KERNEL(fetch_row);
  fetch_row<<<1, 1>>>(texture, 0.5f, out);
  cudaDeviceSynchronize();
}
PROGRAM(surface_as_texture, "^no texture at .*kernel fetch_row") {
  float* out = device_memory<float>();
  LATER_IN_KERNEL(fetch_row);
  fetch_row<<<1, 1>>>(surface_of(new_array(true)), 0.5f, out);
  cudaDeviceSynchronize();
}
PROGRAM(wrong_dimensions, "^wrong texture at .*tex1D fetches from a 1D array, and this texture is a 2D array") {
  float* out = device_memory<float>();
  LATER_IN_KERNEL(fetch_line);
  fetch_line<<<1, 1>>>(texture_of(new_array()), out);
  cudaDeviceSynchronize();
}
PROGRAM(race_of_surface, "^race at .*kernel pass_on.*element 0 of allocation .*cudaMallocArray") {
  const cudaArray_t array = new_array(true);
  float* out = device_memory<float>();
  pass_on<<<1, 2>>>(surface_of(array), out);
  cudaDeviceSynchronize();
}
PROGRAM(texture_before_copy,
        "^missing order .*kernel fetch_row in stream 2 .* reads element 0 .*cudaMemcpy2DToArrayAsync") {
  const cudaArray_t array = new_array();
  const cudaTextureObject_t texture = texture_of(array);
  float* out = device_memory<float>();
  float* h = reinterpret_cast<float*>(pinned_memory());
  cudaStream_t a = stream(), b = stream();
  EARLIER;
  cudaMemcpy2DToArrayAsync(array, 0, 0, h, row_bytes, row_bytes, rows, cudaMemcpyHostToDevice, a);
  fetch_row<<<1, 16, 0, b>>>(texture, 0.5f, out);
  cudaDeviceSynchronize();
}
PROGRAM(three_channels, "^unread error .*cudaErrorInvalidChannelDescriptor.*An element has 1, 2 or 4 channels") {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc(8, 8, 8, 0, cudaChannelFormatKindUnsigned);
  cudaArray_t array;
  LATER;
  cudaMallocArray(&array, &format, 8, 8);
}
PROGRAM(linear_filter_of_integers, "^unread error .*cudaErrorInvalidFilterSetting.*cudaFilterModeLinear needs") {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  cudaArray_t array = nullptr;
  REQUIRE(cudaMallocArray(&array, &format, 8, 8) == cudaSuccess);
  const cudaResourceDesc resource = resource_of(array);
  cudaTextureDesc description = {};
  description.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t texture = 0;
  LATER;
  cudaCreateTextureObject(&texture, &resource, &description, nullptr);
}
PROGRAM(surface_without_flag, "^unread error .*The array of a surface needs the flag cudaArraySurfaceLoadStore") {
  const cudaResourceDesc resource = resource_of(new_array());
  cudaSurfaceObject_t surface = 0;
  LATER;
  cudaCreateSurfaceObject(&surface, &resource);
}
PROGRAM(copy_outside, "^unread error .*17 x 8 x 1 elements from \\(0, 0, 0\\) on do not fit an array of 16 x 8 float") {
  const cudaArray_t array = new_array();
  std::vector<float> h(17 * rows);
  LATER;
  cudaMemcpy2DToArray(array, 0, 0, h.data(), 17 * sizeof(float), 17 * sizeof(float), rows, cudaMemcpyHostToDevice);
}
PROGRAM(array_freed_twice, "^unread error .*cudaErrorInvalidResourceHandle.*not an array, or the array is freed") {
  const cudaArray_t array = new_array();
  cudaFreeArray(array);
  LATER;
  cudaFreeArray(array);
}
