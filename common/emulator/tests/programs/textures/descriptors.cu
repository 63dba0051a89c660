// SPDX-License-Identifier: MIT
// What the runtime says about arrays and objects, its limits, and which descriptions it refuses.
#include "verify.h"

#define REFUSED(error, call)                \
  do {                                      \
    REQUIRE((call) == (error));             \
    REQUIRE(cudaGetLastError() == (error)); \
  } while (0)

cudaResourceDesc resource_of(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

void test_properties() {
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  REQUIRE(properties.maxTexture1D >= 65536 && properties.maxTexture2D[0] >= 65536 &&
          properties.maxTexture2D[1] >= 32768);
  REQUIRE(properties.maxTexture3D[2] >= 2048 && properties.maxTextureCubemap >= 16384);
  REQUIRE(properties.maxTexture2DLayered[2] >= 2048 && properties.maxSurface2D[0] >= 32768);
  REQUIRE(properties.textureAlignment > 0 && properties.texturePitchAlignment > 0);
  int width = 0;
  CHECK(cudaDeviceGetAttribute(&width, cudaDevAttrMaxTexture2DWidth, 0));
  REQUIRE(width == properties.maxTexture2D[0]);
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  std::size_t elements = 0;
  CHECK(cudaDeviceGetTexture1DLinearMaxWidth(&elements, &format, 0));
  REQUIRE(elements >= (std::size_t{1} << 27));
  cudaArray_t array;
  REFUSED(cudaErrorInvalidValue, cudaMallocArray(&array, &format, properties.maxTexture2D[0] + std::size_t{1}, 1));
}

void test_queries() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindSigned);
  cudaArray_t array;
  std::size_t before = 0, with = 0, total = 0;
  CHECK(cudaMemGetInfo(&before, &total));
  CHECK(cudaMallocArray(&array, &format, 1024, 2048, cudaArraySurfaceLoadStore));
  CHECK(cudaMemGetInfo(&with, &total));
  REQUIRE(before - with >= 1024 * 2048 * 4);
  cudaChannelFormatDesc known = {};
  cudaExtent extent = {};
  unsigned flags = 0;
  CHECK(cudaArrayGetInfo(&known, &extent, &flags, array));
  REQUIRE(known.x == 16 && known.y == 16 && known.z == 0 && known.f == cudaChannelFormatKindSigned);
  REQUIRE(extent.width == 1024 && extent.height == 2048 && extent.depth == 0 && flags == cudaArraySurfaceLoadStore);
  known = {};
  CHECK(cudaGetChannelDesc(&known, array));
  REQUIRE(known.x == 16 && known.w == 0);

  const cudaResourceDesc resource = resource_of(array);
  cudaTextureDesc description = {};
  description.addressMode[0] = cudaAddressModeMirror;
  description.readMode = cudaReadModeNormalizedFloat;
  description.filterMode = cudaFilterModeLinear;
  description.normalizedCoords = 1;
  cudaTextureObject_t texture = 0;
  CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  REQUIRE(texture != 0);
  cudaResourceDesc resource_known = {};
  cudaTextureDesc description_known = {};
  CHECK(cudaGetTextureObjectResourceDesc(&resource_known, texture));
  CHECK(cudaGetTextureObjectTextureDesc(&description_known, texture));
  REQUIRE(resource_known.resType == cudaResourceTypeArray && resource_known.res.array.array == array);
  REQUIRE(description_known.addressMode[0] == cudaAddressModeMirror && description_known.normalizedCoords == 1);
  CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaFreeArray(array));
}

void test_refused_arrays() {
  cudaArray_t array;
  const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
  const cudaChannelFormatDesc three = cudaCreateChannelDesc(32, 32, 32, 0, cudaChannelFormatKindFloat);
  REFUSED(cudaErrorInvalidChannelDescriptor, cudaMallocArray(&array, &three, 8, 8));
  const cudaChannelFormatDesc unequal = cudaCreateChannelDesc(8, 16, 0, 0, cudaChannelFormatKindUnsigned);
  REFUSED(cudaErrorInvalidChannelDescriptor, cudaMallocArray(&array, &unequal, 8, 8));
  REFUSED(cudaErrorInvalidValue, cudaMalloc3DArray(&array, &floats, make_cudaExtent(8, 4, 6), cudaArrayCubemap));
  REFUSED(cudaErrorInvalidValue, cudaMalloc3DArray(&array, &floats, make_cudaExtent(8, 8, 5), cudaArrayCubemap));
}

void test_refused_objects() {
  const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
  cudaArray_t plain;
  CHECK(cudaMallocArray(&plain, &floats, 8, 8));
  const cudaResourceDesc plain_resource = resource_of(plain);
  cudaSurfaceObject_t surface = 0;
  REFUSED(cudaErrorInvalidValue, cudaCreateSurfaceObject(&surface, &plain_resource));
  float* memory;
  CHECK(cudaMalloc(&memory, 4096));
  cudaResourceDesc linear = {};
  linear.resType = cudaResourceTypePitch2D;
  linear.res.pitch2D.devPtr = memory;
  linear.res.pitch2D.desc = floats;
  linear.res.pitch2D.width = 8;
  linear.res.pitch2D.height = 8;
  linear.res.pitch2D.pitchInBytes = 9 * sizeof(float);
  cudaTextureDesc description = {};
  cudaTextureObject_t texture = 0;
  REFUSED(cudaErrorInvalidValue, cudaCreateTextureObject(&texture, &linear, &description, nullptr));
  linear.res.pitch2D.pitchInBytes = 512;
  CHECK(cudaCreateTextureObject(&texture, &linear, &description, nullptr));
  CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaFree(memory));
  CHECK(cudaFreeArray(plain));
  CHECK(cudaFreeArray(nullptr));
}

int main() {
  test_properties();
  test_queries();
  test_refused_arrays();
  test_refused_objects();
  return passed();
}
