// SPDX-License-Identifier: MIT
// Texture objects of 1D, 2D and 3D arrays, with all address modes and both filters, against the formulas of the
// programming guide. Coordinates are multiples of 1 / 64, and a little more, so that no rounding is in doubt.
#include <cmath>
#include <vector>

#include "verify.h"

constexpr int width = 16, height = 8, depth = 4;
constexpr int points = 240;
constexpr float border = 77;

/// A point that may be outside of the array, in elements.
__host__ __device__ float coordinate(int i, int length) {
  return static_cast<float>(i * 37 % (64 * 3 * length)) / 64 - length + 1.0f / 1024;
}

__global__ void fetch_1d(cudaTextureObject_t texture, bool normalized, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= points) return;
  const float x = coordinate(i, width);
  out[i] = tex1D<float>(texture, normalized ? x / width : x);
}
__global__ void fetch_between(cudaTextureObject_t texture, float* out) {
  const int i = threadIdx.x;
  out[i] = tex1D<float>(texture, 1.5f + i / 256.0f + 1.0f / 1024);  // the last summand is too small for a weight
}
__global__ void fetch_2d(cudaTextureObject_t texture, bool normalized, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= points) return;
  const float x = coordinate(i, width), y = coordinate(7 * i, height);
  tex2D(&out[i], texture, normalized ? x / width : x, normalized ? y / height : y);
}
__global__ void fetch_3d(cudaTextureObject_t texture, bool normalized, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= points) return;
  const float x = coordinate(i, width), y = coordinate(7 * i, height), z = coordinate(11 * i, depth);
  out[i] = normalized ? tex3D<float>(texture, x / width, y / height, z / depth) : tex3D<float>(texture, x, y, z);
}

struct Case {
  cudaTextureAddressMode mode;
  cudaTextureFilterMode filter;
  bool normalized;
};

/// What the host computes: one dimension after the other.
struct Reference {
  Case of;
  std::vector<float> values;
  int lengths[3];

  float element(const int place[3]) const {
    for (int d = 0; d < 3; ++d) {
      if (place[d] < 0 || place[d] >= lengths[d]) return border;
    }
    return values[(place[2] * lengths[1] + place[1]) * lengths[0] + place[0]];
  }
  /// The coordinate inside of the array, by the formulas for normalized coordinates.
  float inside(float x, int length) const {
    if (!of.normalized) return x;
    const float periods = std::floor(x / length);
    const float rest = x - periods * length;
    if (of.mode == cudaAddressModeWrap) return rest;
    if (of.mode == cudaAddressModeMirror) return std::fmod(periods, 2.0f) == 0 ? rest : length - rest;
    return x;
  }
  int bounded(int place, int length) const {
    if (of.mode == cudaAddressModeBorder) return place;
    if (of.mode == cudaAddressModeWrap && of.normalized) return (place + length) % length;
    return place < 0 ? 0 : (place >= length ? length - 1 : place);
  }
  float at(const float* x, int dimensions, int place[3]) const {
    if (dimensions == 0) return element(place);
    const int d = dimensions - 1;
    if (lengths[d] == 1) return place[d] = 0, at(x, d, place);
    const float own = inside(x[d], lengths[d]);
    if (of.filter == cudaFilterModePoint) {
      place[d] = bounded(static_cast<int>(std::floor(own)), lengths[d]);
      return at(x, d, place);
    }
    const float first = std::floor(own - 0.5f);
    const float weight = std::floor((own - 0.5f - first) * 256 + 0.5f) / 256;
    place[d] = bounded(static_cast<int>(first), lengths[d]);
    const float before = at(x, d, place);
    place[d] = bounded(static_cast<int>(first) + 1, lengths[d]);
    return (1 - weight) * before + weight * at(x, d, place);
  }
};

cudaTextureObject_t texture_of(cudaArray_t array, const Case& one) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  for (auto& mode : description.addressMode) mode = one.mode;
  description.filterMode = one.filter;
  description.readMode = cudaReadModeElementType;
  description.normalizedCoords = one.normalized;
  description.borderColor[0] = border;
  cudaTextureObject_t texture = 0;
  CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  return texture;
}

void run(cudaArray_t array, const std::vector<float>& values, int dimensions, const Case& one, float* device) {
  const Reference reference{one, values, {width, dimensions > 1 ? height : 1, dimensions > 2 ? depth : 1}};
  const cudaTextureObject_t texture = texture_of(array, one);
  if (dimensions == 1) fetch_1d<<<2, 128>>>(texture, one.normalized, device);
  if (dimensions == 2) fetch_2d<<<2, 128>>>(texture, one.normalized, device);
  if (dimensions == 3) fetch_3d<<<2, 128>>>(texture, one.normalized, device);
  CHECK(cudaGetLastError());
  std::vector<float> fetched(points);
  CHECK(cudaMemcpy(fetched.data(), device, points * sizeof(float), cudaMemcpyDeviceToHost));
  for (int i = 0; i < points; ++i) {
    const float x[3] = {coordinate(i, width), coordinate(7 * i, height), coordinate(11 * i, depth)};
    int place[3] = {0, 0, 0};
    const float expected = reference.at(x, 3, place);
    if (std::fabs(fetched[i] - expected) <= 1e-3f) continue;
    std::fprintf(stderr, "%dD, mode %d, filter %d, normalized %d, (%g, %g, %g): %g instead of %g\n", dimensions,
                 one.mode, one.filter, one.normalized, x[0], x[1], x[2], fetched[i], expected);
    std::exit(EXIT_FAILURE);
  }
  CHECK(cudaDestroyTextureObject(texture));
}

/// Between two elements a fetch returns 257 different values.
void weights_have_8_bits(cudaArray_t line, const std::vector<float>& values, float* device) {
  const cudaTextureObject_t texture = texture_of(line, {cudaAddressModeClamp, cudaFilterModeLinear, false});
  constexpr int count = 128;
  fetch_between<<<1, count>>>(texture, device);
  float fetched[count];
  CHECK(cudaMemcpy(fetched, device, sizeof fetched, cudaMemcpyDeviceToHost));
  for (int i = 0; i < count; ++i) {
    const float weight = i / 256.0f;
    verify(std::fabs(fetched[i] - ((1 - weight) * values[1] + weight * values[2])) < 1e-5f, "a weight of 8 bits");
  }
  CHECK(cudaDestroyTextureObject(texture));
}

int main() {
  std::vector<float> values(width * height * depth);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i * 29 % 101);
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t line, plane, cube;
  CHECK(cudaMallocArray(&line, &format, width));
  CHECK(cudaMallocArray(&plane, &format, width, height));
  CHECK(cudaMalloc3DArray(&cube, &format, make_cudaExtent(width, height, depth)));
  const std::size_t row = width * sizeof(float);
  CHECK(cudaMemcpy2DToArray(line, 0, 0, values.data(), row, row, 1, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy2DToArray(plane, 0, 0, values.data(), row, row, height, cudaMemcpyHostToDevice));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(values.data(), row, width, height);
  copy.dstArray = cube;
  copy.extent = make_cudaExtent(width, height, depth);
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));
  float* device;
  CHECK(cudaMalloc(&device, points * sizeof(float)));
  for (const auto mode : {cudaAddressModeClamp, cudaAddressModeBorder, cudaAddressModeWrap, cudaAddressModeMirror}) {
    for (const auto filter : {cudaFilterModePoint, cudaFilterModeLinear}) {
      for (const bool normalized : {false, true}) {
        // Wrap and mirror are for normalized coordinates.
        if (!normalized && (mode == cudaAddressModeWrap || mode == cudaAddressModeMirror)) continue;
        const Case one{mode, filter, normalized};
        run(line, values, 1, one, device);
        run(plane, values, 2, one, device);
        run(cube, values, 3, one, device);
      }
    }
  }
  weights_have_8_bits(line, values, device);
  CHECK(cudaFree(device));
  CHECK(cudaFreeArray(line));
  CHECK(cudaFreeArray(plane));
  CHECK(cudaFreeArray(cube));
  return passed();
}
