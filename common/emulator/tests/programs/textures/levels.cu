// SPDX-License-Identifier: MIT
// Levels of mipmapped arrays of all shapes, by number and by gradients. Each element of a level has the number of the
// level, and of its layer, so that a fetch tells which one it read.
#include <cmath>
#include <vector>

#include "verify.h"

constexpr int size = 16, levels = 4, layers = 3;

__host__ __device__ float value(int level, int layer) { return 10.0f * level + layer; }

enum Shape { line, cube, lines, planes, cubemap, cubemaps };

struct Mipmap {
  cudaMipmappedArray_t array = nullptr;
  cudaTextureObject_t texture = 0;

  Mipmap(const cudaExtent& extent, unsigned flags) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    CHECK(cudaMallocMipmappedArray(&array, &format, extent, levels, flags));
    const bool has_layers = flags != cudaArrayDefault;
    for (int level = 0; level < levels; ++level) fill(level, has_layers);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = array;
    cudaTextureDesc description = {};
    for (auto& mode : description.addressMode) mode = cudaAddressModeClamp;
    description.filterMode = description.mipmapFilterMode = cudaFilterModeLinear;
    description.normalizedCoords = 1;
    description.maxMipmapLevelClamp = levels - 1;
    CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  }
  Mipmap(const Mipmap&) = delete;
  Mipmap& operator=(const Mipmap&) = delete;
  ~Mipmap() {
    cudaDestroyTextureObject(texture);
    cudaFreeMipmappedArray(array);
  }

 private:
  void fill(int level, bool has_layers) const {
    cudaArray_t one;
    CHECK(cudaGetMipmappedArrayLevel(&one, array, level));
    cudaExtent extent;
    CHECK(cudaArrayGetInfo(nullptr, &extent, nullptr, one));
    REQUIRE(extent.width == static_cast<std::size_t>(size >> level));
    const std::size_t rows = extent.height == 0 ? 1 : extent.height, count = extent.depth == 0 ? 1 : extent.depth;
    std::vector<float> values(extent.width * rows * count);
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = value(level, has_layers ? static_cast<int>(i / (extent.width * rows)) : 0);
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(values.data(), extent.width * sizeof(float), extent.width, rows);
    copy.dstArray = one;
    copy.extent = make_cudaExtent(extent.width, rows, count);
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
  }
};

/// A fetch from the level of `number`, and one whose gradients have the length of an element of it.
__global__ void fetch(cudaTextureObject_t t, Shape shape, float number, float* out) {
  const float x = 0.5f, step = exp2f(number) / size;
  const float2 one_x = make_float2(step, 0), none = make_float2(0, 0);
  const float4 one_y = make_float4(0, step, 0, 0), nothing = make_float4(0, 0, 0, 0);
  // On a face, which reaches from -1 to 1, a step is twice as long.
  const float4 on_face = make_float4(0, 2 * step, 0, 0);
  if (shape == line) out[0] = tex1DLod<float>(t, x, number), out[1] = tex1DGrad<float>(t, x, 0, step);
  if (shape == cube) {
    out[0] = tex3DLod<float>(t, x, x, x, number);
    out[1] = tex3DGrad<float>(t, x, x, x, nothing, one_y);
  }
  if (shape == lines) {
    out[0] = tex1DLayeredLod<float>(t, x, 2, number);
    out[1] = tex1DLayeredGrad<float>(t, x, 2, step, 0);
  }
  if (shape == planes) {
    out[0] = tex2DLayeredLod<float>(t, x, x, 2, number);
    out[1] = tex2DLayeredGrad<float>(t, x, x, 2, one_x, none);
  }
  if (shape == cubemap) {
    out[0] = texCubemapLod<float>(t, 1, 0, 0, number);
    out[1] = texCubemapGrad<float>(t, 1, 0, 0, on_face, nothing);
  }
  if (shape == cubemaps) {
    out[0] = texCubemapLayeredLod<float>(t, 1, 0, 0, 1, number);
    out[1] = texCubemapLayeredGrad<float>(t, 1, 0, 0, 1, on_face, nothing);
  }
}

void test(Shape shape, const cudaExtent& extent, unsigned flags, int layer) {
  const Mipmap mipmap(extent, flags);
  float *device, host[2];
  CHECK(cudaMalloc(&device, sizeof host));
  for (const float number : {0.0f, 1.0f, 1.25f, 2.5f, 3.0f, 7.0f}) {
    fetch<<<1, 1>>>(mipmap.texture, shape, number, device);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
    const float expected = 10 * (number < levels - 1 ? number : levels - 1) + layer;
    for (const float fetched : host) {
      if (std::fabs(fetched - expected) < 0.1f) continue;
      std::fprintf(stderr, "shape %d, level %g: %g instead of %g\n", shape, number, fetched, expected);
      std::exit(EXIT_FAILURE);
    }
  }
  CHECK(cudaFree(device));
}

int main() {
  test(line, make_cudaExtent(size, 0, 0), cudaArrayDefault, 0);
  test(cube, make_cudaExtent(size, size, size), cudaArrayDefault, 0);
  test(lines, make_cudaExtent(size, 0, layers), cudaArrayLayered, 2);
  test(planes, make_cudaExtent(size, size, layers), cudaArrayLayered, 2);
  test(cubemap, make_cudaExtent(size, size, 6), cudaArrayCubemap, 0);
  test(cubemaps, make_cudaExtent(size, size, 12), cudaArrayCubemap | cudaArrayLayered, 6);
  return passed();
}
