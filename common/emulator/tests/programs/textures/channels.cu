// SPDX-License-Identifier: MIT
// All types of channels, from arrays, linear memory and memory with a pitch; normalized numbers, sRGB and half.
#include <cuda_fp16.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "verify.h"

constexpr int width = 8, height = 4, count = width * height;

template <class T>
__global__ void fetch_array(cudaTextureObject_t texture, T* out) {
  const int i = threadIdx.x;
  out[i] = tex2D<T>(texture, i % width + 0.5f, i / width + 0.5f);
}
template <class T>
__global__ void fetch_linear(cudaTextureObject_t texture, T* out) {
  out[threadIdx.x] = tex1Dfetch<T>(texture, threadIdx.x);
}
template <class T>
__global__ void fetch_outside(cudaTextureObject_t texture, T* out) {
  tex1Dfetch(&out[0], texture, -1);
  tex1Dfetch(&out[1], texture, count);
}

struct Source {
  cudaResourceDesc resource = {};
  cudaTextureDesc description = {};
  cudaTextureObject_t create() const {
    cudaTextureObject_t texture = 0;
    CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    return texture;
  }
};

Source of_array(cudaArray_t array) {
  Source source;
  source.resource.resType = cudaResourceTypeArray;
  source.resource.res.array.array = array;
  return source;
}
Source of_linear(void* memory, const cudaChannelFormatDesc& format, std::size_t bytes) {
  Source source;
  source.resource.resType = cudaResourceTypeLinear;
  source.resource.res.linear.devPtr = memory;
  source.resource.res.linear.desc = format;
  source.resource.res.linear.sizeInBytes = bytes;
  return source;
}
Source of_pitch(void* memory, std::size_t pitch, const cudaChannelFormatDesc& format) {
  Source source;
  source.resource.resType = cudaResourceTypePitch2D;
  source.resource.res.pitch2D.devPtr = memory;
  source.resource.res.pitch2D.desc = format;
  source.resource.res.pitch2D.width = width;
  source.resource.res.pitch2D.height = height;
  source.resource.res.pitch2D.pitchInBytes = pitch;
  return source;
}

template <class T>
std::vector<T> from_device(const T* device) {
  std::vector<T> values(count);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(values.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost));
  return values;
}

/// Each byte of the elements has another value, so that an exchange of channels or bytes is seen.
template <class T>
std::vector<T> elements() {
  std::vector<T> values(count);
  std::vector<unsigned char> bytes(count * sizeof(T));
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(i * 53 + 17) & 0xbf;  // no NaN
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

template <class T>
void expect_equal(const T* device, const std::vector<T>& expected, const char* what) {
  const std::vector<T> fetched = from_device(device);
  verify(std::memcmp(fetched.data(), expected.data(), count * sizeof(T)) == 0, what);
}

/// Fetches T as it is from an array, from memory with a pitch, and from linear memory.
template <class T>
void test_type() {
  const std::vector<T> values = elements<T>();
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
  REQUIRE(format.x + format.y + format.z + format.w == 8 * static_cast<int>(sizeof(T)));
  const std::size_t row = width * sizeof(T);
  T *out, *linear;
  CHECK(cudaMalloc(&out, count * sizeof(T)));
  CHECK(cudaMalloc(&linear, count * sizeof(T)));
  CHECK(cudaMemcpy(linear, values.data(), count * sizeof(T), cudaMemcpyHostToDevice));
  void* pitched;
  std::size_t pitch = 0;
  CHECK(cudaMallocPitch(&pitched, &pitch, row, height));
  CHECK(cudaMemcpy2D(pitched, pitch, values.data(), row, row, height, cudaMemcpyHostToDevice));
  cudaArray_t array;
  CHECK(cudaMallocArray(&array, &format, width, height));
  CHECK(cudaMemcpy2DToArray(array, 0, 0, values.data(), row, row, height, cudaMemcpyHostToDevice));

  for (const Source& source : {of_array(array), of_pitch(pitched, pitch, format)}) {
    const cudaTextureObject_t texture = source.create();
    CHECK(cudaMemset(out, 0, count * sizeof(T)));
    fetch_array<<<1, count>>>(texture, out);
    expect_equal(out, values, "tex2D");
    CHECK(cudaDestroyTextureObject(texture));
  }
  const cudaTextureObject_t texture = of_linear(linear, format, count * sizeof(T)).create();
  fetch_linear<<<1, count>>>(texture, out);
  expect_equal(out, values, "tex1Dfetch");
  fetch_outside<<<1, 1>>>(texture, out);
  const std::vector<T> outside = from_device(out);
  const T zero[2] = {};
  verify(std::memcmp(outside.data(), zero, sizeof zero) == 0, "tex1Dfetch outside of the memory gives 0");
  CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaFreeArray(array));
  CHECK(cudaFree(out));
  CHECK(cudaFree(linear));
  CHECK(cudaFree(pitched));
}

/// Fetches integers as numbers from -1 or 0 to 1.
template <class T>
void test_normalized(float divisor) {
  const std::vector<T> values = elements<T>();
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
  T* linear;
  float* out;
  CHECK(cudaMalloc(&linear, count * sizeof(T)));
  CHECK(cudaMalloc(&out, count * sizeof(float)));
  std::vector<T> with_limits = values;
  with_limits[0] = static_cast<T>(divisor);
  with_limits[1] = static_cast<T>(-divisor - 1);
  CHECK(cudaMemcpy(linear, with_limits.data(), count * sizeof(T), cudaMemcpyHostToDevice));
  Source source = of_linear(linear, format, count * sizeof(T));
  source.description.readMode = cudaReadModeNormalizedFloat;
  const cudaTextureObject_t texture = source.create();
  fetch_linear<<<1, count>>>(texture, out);
  const std::vector<float> fetched = from_device(out);
  for (int i = 0; i < count; ++i) {
    const float expected = std::fmax(static_cast<float>(with_limits[i]) / divisor, -1.0f);
    verify(std::fabs(fetched[i] - expected) < 1e-6f, "cudaReadModeNormalizedFloat");
  }
  CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaFree(linear));
  CHECK(cudaFree(out));
}

void test_half() {
  std::vector<__half> values(2 * count);
  for (int i = 0; i < 2 * count; ++i) values[i] = __float2half(0.25f * i - 3);
  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDescHalf2();
  CHECK(cudaMallocArray(&array, &format, width, height));
  const std::size_t row = 2 * width * sizeof(__half);
  CHECK(cudaMemcpy2DToArray(array, 0, 0, values.data(), row, row, height, cudaMemcpyHostToDevice));
  float2* out;
  CHECK(cudaMalloc(&out, count * sizeof(float2)));
  const cudaTextureObject_t texture = of_array(array).create();
  fetch_array<<<1, count>>>(texture, out);
  const std::vector<float2> fetched = from_device(out);
  for (int i = 0; i < count; ++i)
    verify(fetched[i].x == 0.25f * (2 * i) - 3 && fetched[i].y == 0.25f * (2 * i + 1) - 3, "half");
  CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaFreeArray(array));
  CHECK(cudaFree(out));
}

/// sRGB is decoded in x, y and z, but not in w.
void test_srgb() {
  std::vector<uchar4> values(count);
  for (int i = 0; i < count; ++i) {
    const auto value = static_cast<unsigned char>(8 * i);
    values[i] = make_uchar4(value, 255, 0, value);
  }
  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc(8, 8, 8, 8, cudaChannelFormatKindUnsigned);
  CHECK(cudaMallocArray(&array, &format, width, height));
  const std::size_t row = width * sizeof(uchar4);
  CHECK(cudaMemcpy2DToArray(array, 0, 0, values.data(), row, row, height, cudaMemcpyHostToDevice));
  float4* out;
  CHECK(cudaMalloc(&out, count * sizeof(float4)));
  Source source = of_array(array);
  source.description.readMode = cudaReadModeNormalizedFloat;
  source.description.sRGB = 1;
  const cudaTextureObject_t texture = source.create();
  fetch_array<<<1, count>>>(texture, out);
  const std::vector<float4> fetched = from_device(out);
  for (int i = 0; i < count; ++i) {
    const double value = 8 * i / 255.0;
    const double linear = value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    verify(std::fabs(fetched[i].x - linear) < 2e-3 && fetched[i].y == 1 && fetched[i].z == 0, "sRGB");
    verify(std::fabs(fetched[i].w - value) < 1e-6, "the fourth channel is linear");
  }
  CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaFreeArray(array));
  CHECK(cudaFree(out));
}

int main() {
  test_type<signed char>(), test_type<unsigned char>(), test_type<char1>(), test_type<char2>(), test_type<char4>();
  test_type<uchar1>(), test_type<uchar2>(), test_type<uchar4>();
  test_type<short>(), test_type<short2>(), test_type<short4>();
  test_type<unsigned short>(), test_type<ushort1>(), test_type<ushort2>(), test_type<ushort4>();
  test_type<int>(), test_type<int1>(), test_type<int2>(), test_type<int4>();
  test_type<unsigned>(), test_type<uint2>(), test_type<uint4>();
  test_type<float>(), test_type<float1>(), test_type<float2>(), test_type<float4>();
  test_normalized<signed char>(127), test_normalized<unsigned char>(255);
  test_normalized<short>(32767), test_normalized<unsigned short>(65535);
  test_half();
  test_srgb();
  return passed();
}
