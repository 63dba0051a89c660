// SPDX-License-Identifier: MIT
// What programs do with textures: rotate an image, filter it, enlarge it with cubic weights, conduct heat between two
// buffers, and follow texture objects that are in memory or in constant memory, without a limit of their number.
#include <cmath>
#include <vector>

#include "verify.h"

constexpr int width = 32, height = 24;

struct Image {
  cudaArray_t array = nullptr;
  cudaTextureObject_t texture = 0;

  template <class T>
  Image(const std::vector<T>& pixels, cudaTextureAddressMode mode, cudaTextureFilterMode filter,
        cudaTextureReadMode read, bool normalized) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    CHECK(cudaMallocArray(&array, &format, width, height));
    const std::size_t row = width * sizeof(T);
    CHECK(cudaMemcpy2DToArray(array, 0, 0, pixels.data(), row, row, height, cudaMemcpyHostToDevice));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description = {};
    description.addressMode[0] = description.addressMode[1] = mode;
    description.filterMode = filter;
    description.readMode = read;
    description.normalizedCoords = normalized;
    CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  }
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;
  ~Image() {
    cudaDestroyTextureObject(texture);
    cudaFreeArray(array);
  }
};

float value_at(int x, int y) { return static_cast<float>((x * 7 + y * 13) % 50); }
std::vector<float> image() {
  std::vector<float> pixels(width * height);
  for (int i = 0; i < width * height; ++i) pixels[i] = value_at(i % width, i / width);
  return pixels;
}
template <class T>
std::vector<T> from_device(T* device, std::size_t count) {
  std::vector<T> values(count);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(values.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(device));
  return values;
}
template <class T>
T* device_memory(std::size_t count) {
  T* memory;
  CHECK(cudaMalloc(&memory, count * sizeof(T)));
  return memory;
}
dim3 grid() { return dim3(width / 8, height / 8); }
dim3 block() { return dim3(8, 8); }

/// A rotation by 90 degrees with normalized coordinates, of an image that repeats itself.
__global__ void turn(cudaTextureObject_t texture, float* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const float u = (x + 0.5f) / width, v = (y + 0.5f) / height;
  out[y * width + x] = tex2D<float>(texture, v - 1, 1 - u + 2);
}
void test_turn() {
  const Image of(image(), cudaAddressModeWrap, cudaFilterModePoint, cudaReadModeElementType, true);
  float* const out = device_memory<float>(width * height);
  turn<<<grid(), block()>>>(of.texture, out);
  const std::vector<float> turned = from_device(out, width * height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const int from_x = (2 * y + 1) * width / (2 * height), from_y = (2 * (width - x) - 1) * height / (2 * width);
      verify(turned[y * width + x] == value_at(from_x, from_y), "a turned image");
    }
  }
}

/// A mean of 3 x 3 pixels of four bytes, which are read as numbers from 0 to 1.
__global__ void blur(cudaTextureObject_t texture, uchar4* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float4 sum = make_float4(0, 0, 0, 0);
  for (int j = -1; j <= 1; ++j) {
    for (int i = -1; i <= 1; ++i) {
      const float4 pixel = tex2D<float4>(texture, x + i + 0.5f, y + j + 0.5f);
      sum.x += pixel.x, sum.y += pixel.y, sum.z += pixel.z, sum.w += pixel.w;
    }
  }
  const float scale = 255.0f / 9;
  out[y * width + x] =
      make_uchar4(sum.x * scale + 0.5f, sum.y * scale + 0.5f, sum.z * scale + 0.5f, sum.w * scale + 0.5f);
}
void test_blur() {
  std::vector<uchar4> pixels(width * height);
  for (int i = 0; i < width * height; ++i) {
    const auto value = static_cast<unsigned char>(value_at(i % width, i / width));
    pixels[i] = make_uchar4(value, 2 * value, 3 * value, 255);
  }
  const Image of(pixels, cudaAddressModeClamp, cudaFilterModePoint, cudaReadModeNormalizedFloat, false);
  uchar4* const out = device_memory<uchar4>(width * height);
  blur<<<grid(), block()>>>(of.texture, out);
  const std::vector<uchar4> blurred = from_device(out, width * height);
  const auto clamped = [](int i, int length) { return i < 0 ? 0 : (i >= length ? length - 1 : i); };
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      int sum = 0;
      for (int k = 0; k < 9; ++k)
        sum += pixels[clamped(y + k / 3 - 1, height) * width + clamped(x + k % 3 - 1, width)].z;
      const uchar4 got = blurred[y * width + x];
      verify(std::fabs(got.z - sum / 9.0) <= 0.51 && got.w == 255, "a blurred image");
    }
  }
}

/// Cubic weights by four fetches with linear filtering, each of which stands for two elements in both dimensions.
__device__ float weight(float a, int i) {
  const float b = 1 - a;
  const float weights[4] = {b * b * b / 6, (3 * a * a * a - 6 * a * a + 4) / 6, (3 * b * b * b - 6 * b * b + 4) / 6,
                            a * a * a / 6};
  return weights[i];
}
__global__ void enlarge(cudaTextureObject_t texture, float* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const float u = x / 2.0f - 0.25f, v = y / 2.0f - 0.25f, fu = floorf(u), fv = floorf(v), a = u - fu, b = v - fv;
  float sum = 0;
  for (int j = 0; j < 4; j += 2) {
    for (int i = 0; i < 4; i += 2) {
      const float gx = weight(a, i) + weight(a, i + 1), gy = weight(b, j) + weight(b, j + 1);
      const float hx = fu + i - 0.5f + weight(a, i + 1) / gx, hy = fv + j - 0.5f + weight(b, j + 1) / gy;
      sum += gx * gy * tex2D<float>(texture, hx, hy);
    }
  }
  out[y * 2 * width + x] = sum;
}
void test_enlarge() {
  const Image of(image(), cudaAddressModeClamp, cudaFilterModeLinear, cudaReadModeElementType, false);
  float* const out = device_memory<float>(4 * width * height);
  enlarge<<<dim3(2 * width / 8, 2 * height / 8), block()>>>(of.texture, out);
  const std::vector<float> large = from_device(out, 4 * width * height);
  const auto clamped = [](int i, int length) { return i < 0 ? 0 : (i >= length ? length - 1 : i); };
  const auto spline = [](double t) {  // the cubic B-spline
    t = std::fabs(t);
    return t < 1 ? (4 - 6 * t * t + 3 * t * t * t) / 6 : (t < 2 ? (2 - t) * (2 - t) * (2 - t) / 6 : 0);
  };
  for (int y = 0; y < 2 * height; ++y) {
    for (int x = 0; x < 2 * width; ++x) {
      const double u = x / 2.0 - 0.25, v = y / 2.0 - 0.25;  // in elements, whose centres are whole numbers
      double expected = 0;
      for (int j = -2; j <= 3; ++j) {
        for (int i = -2; i <= 3; ++i) {
          const int column = static_cast<int>(std::floor(u)) + i, line = static_cast<int>(std::floor(v)) + j;
          expected += spline(u - column) * spline(v - line) * value_at(clamped(column, width), clamped(line, height));
        }
      }
      verify(std::fabs(large[y * 2 * width + x] - expected) < 0.4, "an image enlarged with cubic weights");
    }
  }
}

/// Heat in linear memory, read by textures: what is written is in the other buffer.
__global__ void conduct(cudaTextureObject_t in, float* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const int i = y * width + x;
  const int left = x == 0 ? i : i - 1, right = x == width - 1 ? i : i + 1;
  const int above = y == 0 ? i : i - width, below = y == height - 1 ? i : i + width;
  const float own = tex1Dfetch<float>(in, i);
  out[i] = own + 0.2f * (tex1Dfetch<float>(in, left) + tex1Dfetch<float>(in, right) + tex1Dfetch<float>(in, above) +
                         tex1Dfetch<float>(in, below) - 4 * own);
}
cudaTextureObject_t linear_texture(float* memory) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = memory;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = width * height * sizeof(float);
  cudaTextureDesc description = {};
  cudaTextureObject_t texture = 0;
  CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  return texture;
}
void test_heat() {
  constexpr int steps = 10;
  float* buffers[2] = {device_memory<float>(width * height), device_memory<float>(width * height)};
  const cudaTextureObject_t textures[2] = {linear_texture(buffers[0]), linear_texture(buffers[1])};
  std::vector<float> heat = image(), next(heat.size());
  CHECK(cudaMemcpy(buffers[0], heat.data(), heat.size() * sizeof(float), cudaMemcpyHostToDevice));
  for (int step = 0; step < steps; ++step) {
    conduct<<<grid(), block()>>>(textures[step % 2], buffers[1 - step % 2]);
    for (int i = 0; i < width * height; ++i) {
      const int x = i % width, y = i / width;
      const float around = heat[x == 0 ? i : i - 1] + heat[x == width - 1 ? i : i + 1] + heat[y == 0 ? i : i - width] +
                           heat[y == height - 1 ? i : i + width];
      next[i] = heat[i] + 0.2f * (around - 4 * heat[i]);
    }
    heat.swap(next);
  }
  const std::vector<float> computed = from_device(buffers[0], heat.size());
  for (std::size_t i = 0; i < heat.size(); ++i) verify(std::fabs(computed[i] - heat[i]) < 1e-3f, "heat");
  for (const cudaTextureObject_t texture : textures) CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaFree(buffers[1]));
}

/// Each thread follows a texture object that it finds in memory.
constexpr int many = 300;
__constant__ cudaTextureObject_t first_textures[2];
__global__ void follow(const cudaTextureObject_t* textures, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < many) out[i] = tex2D<float>(textures[i], 1.5f, 0.5f) + 1000 * tex2D<float>(first_textures[i % 2], 1.5f, 0.5f);
}
void test_many() {
  std::vector<Image*> images;
  std::vector<cudaTextureObject_t> textures;
  for (int i = 0; i < many; ++i) {
    images.push_back(new Image(std::vector<float>(width * height, i + 1), cudaAddressModeClamp, cudaFilterModePoint,
                               cudaReadModeElementType, false));
    textures.push_back(images.back()->texture);
  }
  cudaTextureObject_t* const list = device_memory<cudaTextureObject_t>(many);
  CHECK(cudaMemcpy(list, textures.data(), many * sizeof(cudaTextureObject_t), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpyToSymbol(first_textures, textures.data(), sizeof first_textures));
  float* const out = device_memory<float>(many);
  follow<<<3, 128>>>(list, out);
  const std::vector<float> found = from_device(out, many);
  for (int i = 0; i < many; ++i) verify(found[i] == i + 1 + 1000 * (i % 2 + 1), "texture objects in memory");
  for (const Image* each : images) delete each;
  CHECK(cudaFree(list));
}

int main() {
  test_turn();
  test_blur();
  test_enlarge();
  test_heat();
  test_many();
  return passed();
}
