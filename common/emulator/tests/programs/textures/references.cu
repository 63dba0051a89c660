// SPDX-License-Identifier: MIT
// Texture references and surface references, which CUDA 12 removed: nvcc 13 does not compile this program.
#include <cmath>
#include <cstdio>
#include <vector>

#include "verify.h"

constexpr int width = 16, height = 8;

texture<float> line;
texture<float, 2, cudaReadModeElementType> plane;
texture<uchar4, cudaTextureType2D, cudaReadModeNormalizedFloat> pixels;
static texture<int2, 1> pairs;
surface<void, cudaSurfaceType2D> written;

__global__ void sum_of_neighbours(float* out) {
  const int i = threadIdx.x;
  out[i] = tex1Dfetch(line, i - 1) + tex1Dfetch(line, i + 1);
}
__global__ void read_plane(float* out) {
  out[threadIdx.y * width + threadIdx.x] = tex2D(plane, threadIdx.x + 0.5f, threadIdx.y + 0.5f);
}
__global__ void read_pixels(float4* out) {
  const float4 pixel = tex2D(pixels, (threadIdx.x + 0.5f) / width, (threadIdx.y + 0.5f) / height);
  out[threadIdx.y * width + threadIdx.x] = pixel;
}
__global__ void read_pairs(int offset, int2* out) { out[threadIdx.x] = tex1Dfetch(pairs, threadIdx.x + offset); }
__global__ void write_surface() {
  const int x = threadIdx.x, y = threadIdx.y;
  const float old = surf2Dread<float>(written, x * 4, y);
  surf2Dwrite(old + 1, written, x * 4, y);
}

template <class T>
std::vector<T> from_device(const T* device, std::size_t count) {
  std::vector<T> values(count);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(values.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost));
  return values;
}

/// The texture is bound to two buffers in turn; each kernel sees the one that was bound at its launch.
void test_line() {
  float *a, *b, *out;
  for (float** memory : {&a, &b, &out}) CHECK(cudaMalloc(memory, width * sizeof(float)));
  std::vector<float> values(width);
  for (int i = 0; i < width; ++i) values[i] = i * i;
  CHECK(cudaMemcpy(a, values.data(), width * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaBindTexture(NULL, line, a, width * sizeof(float)));
  sum_of_neighbours<<<1, width>>>(b);
  CHECK(cudaBindTexture(0, line, b));
  sum_of_neighbours<<<1, width>>>(out);
  CHECK(cudaUnbindTexture(line));
  const std::vector<float> got = from_device(out, width);
  std::vector<float> once(width), twice(width);
  const auto sums = [](const std::vector<float>& from, std::vector<float>& to) {
    for (int i = 0; i < width; ++i) to[i] = (i > 0 ? from[i - 1] : 0) + (i + 1 < width ? from[i + 1] : 0);
  };
  sums(values, once), sums(once, twice);
  verify(got == twice, "tex1Dfetch of a reference");
  for (float* memory : {a, b, out}) CHECK(cudaFree(memory));
}

void test_offset() {
  int2 *memory, *out;
  CHECK(cudaMalloc(&memory, 2 * width * sizeof(int2)));
  CHECK(cudaMalloc(&out, width * sizeof(int2)));
  std::vector<int2> values(2 * width);
  for (int i = 0; i < 2 * width; ++i) values[i] = make_int2(i, -i);
  CHECK(cudaMemcpy(memory, values.data(), values.size() * sizeof(int2), cudaMemcpyHostToDevice));
  std::size_t offset = 1;
  CHECK(cudaBindTexture(&offset, pairs, memory + 3, cudaCreateChannelDesc<int2>(), width * sizeof(int2)));
  REQUIRE(offset == 3 * sizeof(int2));
  read_pairs<<<1, width>>>(static_cast<int>(offset / sizeof(int2)), out);
  const std::vector<int2> got = from_device(out, width);
  for (int i = 0; i < width; ++i) verify(got[i].x == i + 3 && got[i].y == -i - 3, "an offset");
  CHECK(cudaUnbindTexture(pairs));
  CHECK(cudaFree(memory));
  CHECK(cudaFree(out));
}

void test_plane() {
  char* pitched;
  std::size_t pitch = 0;
  float* out;
  CHECK(cudaMallocPitch(&pitched, &pitch, width * sizeof(float), height));
  CHECK(cudaMalloc(&out, width * height * sizeof(float)));
  std::vector<float> values(width * height);
  for (int i = 0; i < width * height; ++i) values[i] = i;
  const std::size_t row = width * sizeof(float);
  CHECK(cudaMemcpy2D(pitched, pitch, values.data(), row, row, height, cudaMemcpyHostToDevice));
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  CHECK(cudaBindTexture2D(NULL, plane, pitched, format, width, height, pitch));
  read_plane<<<1, dim3(width, height)>>>(out);
  verify(from_device(out, width * height) == values, "cudaBindTexture2D");
  CHECK(cudaUnbindTexture(plane));

  cudaArray_t array;
  CHECK(cudaMallocArray(&array, &format, width, height, cudaArraySurfaceLoadStore));
  CHECK(cudaMemcpyToArray(array, 0, 0, values.data(), row * height, cudaMemcpyHostToDevice));
  CHECK(cudaBindSurfaceToArray(written, array));
  write_surface<<<1, dim3(width, height)>>>();
  plane.filterMode = cudaFilterModeLinear;
  CHECK(cudaBindTextureToArray(plane, array, format));
  read_plane<<<1, dim3(width, height)>>>(out);
  const std::vector<float> got = from_device(out, width * height);
  for (int i = 0; i < width * height; ++i) verify(got[i] == values[i] + 1, "cudaBindTextureToArray");
  CHECK(cudaUnbindTexture(plane));
  CHECK(cudaFreeArray(array));
  CHECK(cudaFree(pitched));
  CHECK(cudaFree(out));
}

void test_pixels() {
  std::vector<uchar4> values(width * height);
  for (int i = 0; i < width * height; ++i) values[i] = make_uchar4(i, 2 * i, 255 - i, 255);
  cudaArray_t array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
  CHECK(cudaMallocArray(&array, &format, width, height));
  CHECK(cudaMemcpyToArray(array, 0, 0, values.data(), values.size() * sizeof(uchar4), cudaMemcpyHostToDevice));
  pixels.normalized = true;
  pixels.filterMode = cudaFilterModeLinear;
  pixels.addressMode[0] = pixels.addressMode[1] = cudaAddressModeWrap;
  CHECK(cudaBindTextureToArray(pixels, array));
  float4* out;
  CHECK(cudaMalloc(&out, values.size() * sizeof(float4)));
  read_pixels<<<1, dim3(width, height)>>>(out);
  const std::vector<float4> got = from_device(out, values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    verify(std::fabs(got[i].x - values[i].x / 255.0f) < 1e-5f && got[i].w == 1, "a reference with normalized numbers");
  }
  CHECK(cudaUnbindTexture(pixels));
  CHECK(cudaFreeArray(array));
  CHECK(cudaFree(out));
}

int main() {
  test_line();
  test_offset();
  test_plane();
  test_pixels();
  return passed();
}
