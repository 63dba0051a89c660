// SPDX-License-Identifier: MIT
// Surfaces of all shapes: reads and writes, the boundary modes, and textures of what a kernel has written.
#include <cstring>
#include <vector>

#include "verify.h"

constexpr int width = 8, height = 4, depth = 3;

cudaResourceDesc resource_of(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}
cudaSurfaceObject_t surface_of(cudaArray_t array) {
  const cudaResourceDesc resource = resource_of(array);
  cudaSurfaceObject_t surface = 0;
  CHECK(cudaCreateSurfaceObject(&surface, &resource));
  return surface;
}

enum Shape { one, two, three, one_layered, two_layered, cubemap, cubemap_layered };

template <class T>
__device__ T number(int x, int y, int z) {
  return static_cast<T>(1 + x + 10 * y + 50 * z);
}

template <class T>
__global__ void write(cudaSurfaceObject_t surface, Shape shape) {
  const int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
  const int at = x * static_cast<int>(sizeof(T));
  const T value = number<T>(x, y, z);
  if (shape == one) surf1Dwrite(value, surface, at);
  if (shape == two) surf2Dwrite(value, surface, at, y);
  if (shape == three) surf3Dwrite(value, surface, at, y, z);
  if (shape == one_layered) surf1DLayeredwrite(value, surface, at, z);
  if (shape == two_layered) surf2DLayeredwrite(value, surface, at, y, z);
  if (shape == cubemap) surfCubemapwrite(value, surface, at, y, z);
  if (shape == cubemap_layered) surfCubemapLayeredwrite(value, surface, at, y, z);
}
template <class T>
__global__ void read(cudaSurfaceObject_t surface, Shape shape, T* out) {
  const int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
  const int at = x * static_cast<int>(sizeof(T));
  T value = 0;
  if (shape == one) value = surf1Dread<T>(surface, at);
  if (shape == two) surf2Dread(&value, surface, at, y);
  if (shape == three) value = surf3Dread<T>(surface, at, y, z);
  if (shape == one_layered) value = surf1DLayeredread<T>(surface, at, z);
  if (shape == two_layered) surf2DLayeredread(&value, surface, at, y, z);
  if (shape == cubemap) value = surfCubemapread<T>(surface, at, y, z);
  if (shape == cubemap_layered) value = surfCubemapLayeredread<T>(surface, at, y, z);
  out[(z * blockDim.y + y) * blockDim.x + x] = value;
}

/// What kernels write and read, and what a copy of the array says.
template <class T>
void test_shape(Shape shape, const cudaExtent& extent, unsigned flags) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
  cudaArray_t array;
  CHECK(cudaMalloc3DArray(&array, &format, extent, flags | cudaArraySurfaceLoadStore));
  const cudaSurfaceObject_t surface = surface_of(array);
  const unsigned rows = extent.height == 0 ? 1 : extent.height, planes = extent.depth == 0 ? 1 : extent.depth;
  const dim3 block(extent.width, rows);
  const std::size_t count = extent.width * rows * planes;
  T* device;
  CHECK(cudaMalloc(&device, count * sizeof(T)));
  write<T><<<planes, block>>>(surface, shape);
  read<T><<<planes, block>>>(surface, shape, device);
  std::vector<T> from_kernel(count), from_copy(count);
  CHECK(cudaMemcpy(from_kernel.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost));
  cudaMemcpy3DParms copy = {};
  copy.srcArray = array;
  copy.dstPtr = make_cudaPitchedPtr(from_copy.data(), extent.width * sizeof(T), extent.width, rows);
  copy.extent = make_cudaExtent(extent.width, rows, planes);
  copy.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaMemcpy3D(&copy));
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t x = i % extent.width, y = i / extent.width % rows, z = i / extent.width / rows;
    const T expected = static_cast<T>(1 + x + 10 * y + 50 * z);
    verify(from_kernel[i] == expected && from_copy[i] == expected, "the values of a surface");
  }
  cudaResourceDesc known = {};
  CHECK(cudaGetSurfaceObjectResourceDesc(&known, surface));
  REQUIRE(known.resType == cudaResourceTypeArray && known.res.array.array == array);
  CHECK(cudaDestroySurfaceObject(surface));
  CHECK(cudaFree(device));
  CHECK(cudaFreeArray(array));
}

/// Beyond the edge, reads give 0 or the nearest element, and writes have no effect or change the nearest element.
__global__ void beyond_edges(cudaSurfaceObject_t surface, int* out) {
  constexpr int element = sizeof(int);
  out[0] = surf2Dread<int>(surface, -element, 1, cudaBoundaryModeZero);
  out[1] = surf2Dread<int>(surface, width * element, 1, cudaBoundaryModeZero);
  out[2] = surf2Dread<int>(surface, 0, height, cudaBoundaryModeZero);
  out[3] = surf2Dread<int>(surface, -element, 1, cudaBoundaryModeClamp);
  out[4] = surf2Dread<int>(surface, width * element, -7, cudaBoundaryModeClamp);
  out[5] = surf2Dread<int>(surface, 0, height + 3, cudaBoundaryModeClamp);
  surf2Dwrite(1000, surface, 0, height, cudaBoundaryModeZero);
  surf2Dwrite(2000, surface, width * element, height, cudaBoundaryModeClamp);
  out[6] = surf2Dread<int>(surface, (width - 1) * element, height - 1);
  out[7] = surf2Dread<int>(surface, 0, height - 1);
}
void test_boundaries() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  cudaArray_t array;
  CHECK(cudaMallocArray(&array, &format, width, height, cudaArraySurfaceLoadStore));
  const cudaSurfaceObject_t surface = surface_of(array);
  write<int><<<1, dim3(width, height)>>>(surface, two);
  int *device, host[8];
  CHECK(cudaMalloc(&device, sizeof host));
  beyond_edges<<<1, 1>>>(surface, device);
  CHECK(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
  const int expected[8] = {0, 0, 0, 11, 8, 31, 2000, 31};
  verify(std::memcmp(host, expected, sizeof host) == 0, "the boundary modes");
  CHECK(cudaDestroySurfaceObject(surface));
  CHECK(cudaFree(device));
  CHECK(cudaFreeArray(array));
}

/// The kernel after the one that writes a surface fetches from the array by a texture.
__global__ void negate(cudaSurfaceObject_t surface) {
  const int x = threadIdx.x * static_cast<int>(sizeof(float4)), y = threadIdx.y;
  const float4 v = surf2Dread<float4>(surface, x, y);
  surf2Dwrite(make_float4(-v.x, -v.y, -v.z, -v.w), surface, x, y);
}
__global__ void fetch(cudaTextureObject_t texture, float4* out) {
  out[threadIdx.y * width + threadIdx.x] = tex2D<float4>(texture, threadIdx.x + 0.5f, threadIdx.y + 0.5f);
}
void test_texture_of_surface() {
  std::vector<float4> values(width * height);
  for (int i = 0; i < width * height; ++i) values[i] = make_float4(i, i + 0.25f, i + 0.5f, i + 0.75f);
  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc(32, 32, 32, 32, cudaChannelFormatKindFloat);
  CHECK(cudaMallocArray(&array, &format, width, height, cudaArraySurfaceLoadStore));
  const std::size_t row = width * sizeof(float4);
  CHECK(cudaMemcpy2DToArray(array, 0, 0, values.data(), row, row, height, cudaMemcpyHostToDevice));
  const cudaSurfaceObject_t surface = surface_of(array);
  const cudaResourceDesc resource = resource_of(array);
  cudaTextureDesc description = {};
  description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
  cudaTextureObject_t texture = 0;
  CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  float4* device;
  CHECK(cudaMalloc(&device, row * height));
  negate<<<1, dim3(width, height)>>>(surface);
  fetch<<<1, dim3(width, height)>>>(texture, device);
  std::vector<float4> fetched(values.size());
  CHECK(cudaMemcpy(fetched.data(), device, row * height, cudaMemcpyDeviceToHost));
  for (std::size_t i = 0; i < values.size(); ++i)
    verify(fetched[i].x == -values[i].x && fetched[i].w == -values[i].w, "a texture of what a surface has");
  CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaDestroySurfaceObject(surface));
  CHECK(cudaFree(device));
  CHECK(cudaFreeArray(array));
}

/// A card writes levels of a mipmapped array that has no flag for surfaces.
void test_level() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  cudaMipmappedArray_t array;
  CHECK(cudaMallocMipmappedArray(&array, &format, make_cudaExtent(2 * width, 2 * height, 0), 2));
  cudaArray_t level;
  CHECK(cudaGetMipmappedArrayLevel(&level, array, 1));
  const cudaSurfaceObject_t surface = surface_of(level);
  write<int><<<1, dim3(width, height)>>>(surface, two);
  std::vector<int> host(width * height);
  const std::size_t row = width * sizeof(int);
  CHECK(cudaMemcpy2DFromArray(host.data(), row, level, 0, 0, row, height, cudaMemcpyDeviceToHost));
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) verify(host[y * width + x] == 1 + x + 10 * y, "a surface of a level");
  }
  CHECK(cudaDestroySurfaceObject(surface));
  CHECK(cudaFreeMipmappedArray(array));
}

int main() {
  test_shape<float>(one, make_cudaExtent(width, 0, 0), cudaArrayDefault);
  test_shape<unsigned char>(two, make_cudaExtent(width, height, 0), cudaArrayDefault);
  test_shape<short>(three, make_cudaExtent(width, height, depth), cudaArrayDefault);
  test_shape<int>(one_layered, make_cudaExtent(width, 0, depth), cudaArrayLayered);
  test_shape<float>(two_layered, make_cudaExtent(width, height, depth), cudaArrayLayered);
  test_shape<float>(cubemap, make_cudaExtent(width, width, 6), cudaArrayCubemap);
  test_shape<unsigned short>(cubemap_layered, make_cudaExtent(width, width, 12), cudaArrayCubemap | cudaArrayLayered);
  test_boundaries();
  test_texture_of_surface();
  test_level();
  return passed();
}
