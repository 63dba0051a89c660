// SPDX-License-Identifier: MIT
// Layered textures, cubemaps and layered cubemaps, with and without filtering over the edges of faces.
#include <cmath>
#include <vector>

#include "verify.h"

constexpr int width = 8, height = 4, layers = 3;

struct Filter {
  cudaTextureFilterMode mode = cudaFilterModePoint;
  bool normalized = false;
  bool seamless = false;
};

cudaTextureObject_t texture_of(cudaArray_t array, const Filter& filter) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  for (auto& mode : description.addressMode) mode = filter.normalized ? cudaAddressModeWrap : cudaAddressModeClamp;
  description.filterMode = filter.mode;
  description.normalizedCoords = filter.normalized;
  description.seamlessCubemap = filter.seamless;
  cudaTextureObject_t texture = 0;
  CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  return texture;
}

cudaArray_t array_of(const std::vector<float>& values, const cudaExtent& extent, unsigned flags) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  CHECK(cudaMalloc3DArray(&array, &format, extent, flags));
  cudaMemcpy3DParms copy = {};
  const std::size_t rows = extent.height == 0 ? 1 : extent.height;
  copy.srcPtr =
      make_cudaPitchedPtr(const_cast<float*>(values.data()), extent.width * sizeof(float), extent.width, rows);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(extent.width, rows, extent.depth);
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));
  return array;
}

std::vector<float> numbers(std::size_t count) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i * 31 % 97);
  return values;
}

float* device_memory(std::size_t count) {
  float* memory;
  CHECK(cudaMalloc(&memory, count * sizeof(float)));
  return memory;
}
std::vector<float> from_device(float* memory, std::size_t count) {
  std::vector<float> values(count);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(values.data(), memory, count * sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(memory));
  return values;
}

__global__ void fetch_rows(cudaTextureObject_t texture, float* out) {
  const int x = threadIdx.x, layer = static_cast<int>(blockIdx.x) - 1;  // layers outside are clamped
  out[blockIdx.x * width + x] = tex1DLayered<float>(texture, x + 0.75f, layer);
}
void test_rows() {
  const std::vector<float> values = numbers(width * layers);
  const cudaArray_t array = array_of(values, make_cudaExtent(width, 0, layers), cudaArrayLayered);
  const cudaTextureObject_t texture = texture_of(array, {cudaFilterModeLinear});
  const std::size_t count = width * (layers + 2);
  float* const out = device_memory(count);
  fetch_rows<<<layers + 2, width>>>(texture, out);
  const std::vector<float> fetched = from_device(out, count);
  for (int block = 0; block < layers + 2; ++block) {
    const int layer = block == 0 ? 0 : (block > layers ? layers - 1 : block - 1);
    for (int x = 0; x < width; ++x) {
      const float a = values[layer * width + x], b = values[layer * width + (x + 1 < width ? x + 1 : x)];
      verify(std::fabs(fetched[block * width + x] - (0.75f * a + 0.25f * b)) < 1e-3f, "tex1DLayered");
    }
  }
  CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaFreeArray(array));
}

__global__ void fetch_planes(cudaTextureObject_t texture, float* out) {
  const int x = threadIdx.x, y = threadIdx.y, layer = blockIdx.x;
  const float u = (x + 0.5f) / width, v = (y + 0.75f) / height;
  out[(layer * height + y) * width + x] = tex2DLayered<float>(texture, u, v, layer);
}
void test_planes() {
  const std::vector<float> values = numbers(width * height * layers);
  const cudaArray_t array = array_of(values, make_cudaExtent(width, height, layers), cudaArrayLayered);
  const cudaTextureObject_t texture = texture_of(array, {cudaFilterModeLinear, true});
  float* const out = device_memory(values.size());
  fetch_planes<<<layers, dim3(width, height)>>>(texture, out);
  const std::vector<float> fetched = from_device(out, values.size());
  for (int i = 0; i < static_cast<int>(values.size()); ++i) {
    const int y = i / width % height, below = i + ((y + 1) % height - y) * width;  // wraps in its own layer
    verify(std::fabs(fetched[i] - (0.75f * values[i] + 0.25f * values[below])) < 1e-3f, "tex2DLayered");
  }
  CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaFreeArray(array));
}

/// The direction of the place (s, t), from -1 to 1, in a face of the cube.
__host__ __device__ float3 direction_of(int face, float s, float t) {
  switch (face) {
    case 0:
      return make_float3(1, -t, -s);
    case 1:
      return make_float3(-1, -t, s);
    case 2:
      return make_float3(s, 1, t);
    case 3:
      return make_float3(s, -1, -t);
    case 4:
      return make_float3(s, -t, 1);
    default:
      return make_float3(-s, -t, -1);
  }
}
__global__ void fetch_faces(cudaTextureObject_t texture, bool layered, float shift, float* out) {
  const int x = threadIdx.x, y = threadIdx.y, face = blockIdx.x;
  const float s = (2 * (x + shift) + 1) / width - 1, t = (2.0f * y + 1) / width - 1;
  const float3 to = direction_of(face % 6, s, t);
  float& result = out[(face * width + y) * width + x];
  // The length of the direction has no meaning.
  result = layered ? texCubemapLayered<float>(texture, 3 * to.x, 3 * to.y, 3 * to.z, face / 6)
                   : texCubemap<float>(texture, 3 * to.x, 3 * to.y, 3 * to.z);
}
std::vector<float> fetched_faces(cudaArray_t array, const Filter& filter, bool layered, float shift, int faces) {
  const cudaTextureObject_t texture = texture_of(array, filter);
  const std::size_t count = static_cast<std::size_t>(faces) * width * width;
  float* const out = device_memory(count);
  fetch_faces<<<faces, dim3(width, width)>>>(texture, layered, shift, out);
  const std::vector<float> values = from_device(out, count);
  CHECK(cudaDestroyTextureObject(texture));
  return values;
}
void test_cubemap() {
  const std::vector<float> values = numbers(width * width * 6);
  const cudaArray_t array = array_of(values, make_cudaExtent(width, width, 6), cudaArrayCubemap);
  verify(fetched_faces(array, {}, false, 0, 6) == values, "texCubemap");
  // A quarter of an element to the right; at the right edge of a face the next face follows.
  const std::vector<float> fetched = fetched_faces(array, {cudaFilterModeLinear, true, true}, false, 0.25f, 6);
  const auto at = [&](int face, int x, int y) { return values[(face * width + y) * width + x]; };
  for (int y = 0; y < width; ++y) {
    for (int x = 0; x + 1 < width; ++x)
      verify(std::fabs(fetched[y * width + x] - (0.75f * at(0, x, y) + 0.25f * at(0, x + 1, y))) < 1e-2f, "in a face");
    // To the right of face +x is the left column of face -z.
    const float expected = 0.75f * at(0, width - 1, y) + 0.25f * at(5, 0, y);
    verify(std::fabs(fetched[y * width + width - 1] - expected) < 1e-2f, "seamlessCubemap");
  }
  CHECK(cudaFreeArray(array));
}
void test_layered_cubemap() {
  const int faces = 6 * layers;
  const std::vector<float> values = numbers(width * width * faces);
  const cudaArray_t array = array_of(values, make_cudaExtent(width, width, faces), cudaArrayCubemap | cudaArrayLayered);
  verify(fetched_faces(array, {}, true, 0, faces) == values, "texCubemapLayered");
  CHECK(cudaFreeArray(array));
}

int main() {
  test_rows();
  test_planes();
  test_cubemap();
  test_layered_cubemap();
  return passed();
}
