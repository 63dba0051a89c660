// SPDX-License-Identifier: MIT
// Mipmapped arrays: levels by number and by gradients, filtering between levels, and tex2Dgather.
#include <cmath>
#include <vector>

#include "verify.h"

constexpr int size = 16, levels = 5;  // 16, 8, 4, 2 and 1

/// The texture of the whole array, whose element (x, y) of a level is 100 * level + 10 * y + x.
cudaTextureObject_t texture_of(cudaMipmappedArray_t array, cudaTextureFilterMode between, float bias, float most,
                               const cudaResourceViewDesc* view = nullptr) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = array;
  cudaTextureDesc description = {};
  for (auto& mode : description.addressMode) mode = cudaAddressModeClamp;
  description.filterMode = cudaFilterModePoint;
  description.normalizedCoords = 1;
  description.mipmapFilterMode = between;
  description.mipmapLevelBias = bias;
  description.maxMipmapLevelClamp = most;
  cudaTextureObject_t texture = 0;
  CHECK(cudaCreateTextureObject(&texture, &resource, &description, view));
  return texture;
}

constexpr float place = 0.8f;  // in elements of level 0, 1, 2, 3, 4: 12, 6, 3, 1, 0
float element(int level) { return 100.0f * level + 11 * std::floor(place * (size >> level)); }

constexpr int fetches = 6;
__global__ void fetch(cudaTextureObject_t texture, float level, float step, float* out) {
  out[0] = tex2DLod<float>(texture, place, place, level);
  tex2DLod(&out[1], texture, place, place, level);
  out[2] = tex2DGrad<float>(texture, place, place, make_float2(step, 0), make_float2(0, step / 2));
  out[3] = tex2DGrad<float>(texture, place, place, make_float2(0, 0), make_float2(0, step));
  out[4] = tex2D<float>(texture, place, place);
  out[5] = tex2DLod<float>(texture, place, place, -3);
}

void expect(cudaTextureObject_t texture, float level, float step, const float (&expected)[fetches], float* device) {
  fetch<<<1, 1>>>(texture, level, step, device);
  float fetched[fetches];
  CHECK(cudaMemcpy(fetched, device, sizeof fetched, cudaMemcpyDeviceToHost));
  for (int i = 0; i < fetches; ++i) {
    if (std::fabs(fetched[i] - expected[i]) < 1e-2f) continue;
    std::fprintf(stderr, "level %g, fetch %d: %g instead of %g\n", level, i, fetched[i], expected[i]);
    std::exit(EXIT_FAILURE);
  }
}

__global__ void gather(cudaTextureObject_t texture, int4* out) {
  out[0] = tex2Dgather<int4>(texture, 2.1f, 3.9f, 0);
  out[1] = tex2Dgather<int4>(texture, 2.1f, 3.9f, 1);
}
/// The four elements around a point, against the sense of clockwise, from below and to the left on.
void test_gather() {
  std::vector<int2> values(size * size);
  for (int i = 0; i < size * size; ++i) values[i] = make_int2(i, 1000 + i);
  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<int2>();
  CHECK(cudaMallocArray(&array, &format, size, size, cudaArrayTextureGather));
  CHECK(cudaMemcpy2DToArray(array, 0, 0, values.data(), size * sizeof(int2), size * sizeof(int2), size,
                            cudaMemcpyHostToDevice));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
  cudaTextureObject_t texture = 0;
  CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  int4 *device, host[2];
  CHECK(cudaMalloc(&device, sizeof host));
  gather<<<1, 1>>>(texture, device);
  CHECK(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
  const auto at = [&](int x, int y) { return y * size + x; };  // the point is between columns 1, 2 and rows 3, 4
  for (int channel = 0; channel < 2; ++channel) {
    const int more = 1000 * channel;
    verify(host[channel].x == at(1, 4) + more && host[channel].y == at(2, 4) + more, "tex2Dgather, below");
    verify(host[channel].z == at(2, 3) + more && host[channel].w == at(1, 3) + more, "tex2Dgather, above");
  }
  CHECK(cudaFree(device));
  CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaFreeArray(array));
}

int main() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMipmappedArray_t array;
  CHECK(cudaMallocMipmappedArray(&array, &format, make_cudaExtent(size, size, 0), levels));
  for (int level = 0; level < levels; ++level) {
    cudaArray_t one;
    CHECK(cudaGetMipmappedArrayLevel(&one, array, level));
    cudaExtent extent;
    CHECK(cudaArrayGetInfo(nullptr, &extent, nullptr, one));
    const std::size_t length = size >> level;
    REQUIRE(extent.width == length && extent.height == length);
    std::vector<float> values(length * length);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = 100.0f * level + 10 * (i / length) + i % length;
    const std::size_t row = length * sizeof(float);
    CHECK(cudaMemcpy2DToArray(one, 0, 0, values.data(), row, row, length, cudaMemcpyHostToDevice));
  }
  float* device;
  CHECK(cudaMalloc(&device, fetches * sizeof(float)));

  const cudaTextureObject_t nearest = texture_of(array, cudaFilterModePoint, 0, levels);
  for (int level = 0; level < levels; ++level) {
    const float e = element(level);
    expect(nearest, level + 0.2f, std::ldexp(1.0f / size, level), {e, e, e, e, element(0), element(0)}, device);
  }
  const float last = element(levels - 1);
  expect(nearest, 40, 8, {last, last, last, last, element(0), element(0)}, device);
  CHECK(cudaDestroyTextureObject(nearest));

  const cudaTextureObject_t between = texture_of(array, cudaFilterModeLinear, 0, levels);
  const float quarter = 0.75f * element(1) + 0.25f * element(2);
  expect(between, 1.25f, 4.0f / size, {quarter, quarter, element(2), element(2), element(0), element(0)}, device);
  CHECK(cudaDestroyTextureObject(between));

  const cudaTextureObject_t shifted = texture_of(array, cudaFilterModePoint, 1, 2);
  expect(shifted, 0, 4.0f / size, {element(1), element(1), element(2), element(2), element(1), element(0)}, device);
  CHECK(cudaDestroyTextureObject(shifted));

  cudaResourceViewDesc view = {};
  view.format = cudaResViewFormatFloat1;
  view.width = view.height = size >> 1;
  view.firstMipmapLevel = 1, view.lastMipmapLevel = 2;
  const cudaTextureObject_t part = texture_of(array, cudaFilterModePoint, 0, levels, &view);
  expect(part, 1, 4.0f / size, {element(2), element(2), element(2), element(2), element(1), element(1)}, device);
  cudaResourceViewDesc known = {};
  CHECK(cudaGetTextureObjectResourceViewDesc(&known, part));
  REQUIRE(known.firstMipmapLevel == 1 && known.lastMipmapLevel == 2);
  CHECK(cudaDestroyTextureObject(part));

  CHECK(cudaFree(device));
  CHECK(cudaFreeMipmappedArray(array));
  test_gather();
  return passed();
}
