// SPDX-License-Identifier: MIT
// cuFFT: each result is compared with the sums that define it.
#include <cufft.h>

#include <cmath>
#include <complex>
#include <cstddef>
#include <vector>

#include "verify.h"

using Number = std::complex<double>;
constexpr double pi = 3.14159265358979323846;

#define FFT(call) REQUIRE((call) == CUFFT_SUCCESS)

template <class T>
T* to_device(const std::vector<T>& host) {
  T* memory = nullptr;
  CHECK(cudaMalloc(&memory, host.size() * sizeof(T)));
  CHECK(cudaMemcpy(memory, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
  return memory;
}
template <class T>
std::vector<T> to_host(const T* memory, std::size_t count) {
  std::vector<T> host(count);
  CHECK(cudaMemcpy(host.data(), memory, count * sizeof(T), cudaMemcpyDeviceToHost));
  return host;
}

/// Some numbers without a pattern.
double value(std::size_t i) { return std::sin(1.7 * static_cast<double>(i) + 0.3) + static_cast<double>(i % 7) / 5; }
std::vector<Number> numbers(std::size_t count, bool real = false) {
  std::vector<Number> all(count);
  for (std::size_t i = 0; i < count; ++i) all[i] = {value(i), real ? 0 : value(3 * i + 1)};
  return all;
}

/// The sums over all numbers of x[k] exp(sign 2 pi i (j k / n)), in up to three dimensions.
std::vector<Number> sums(const std::vector<Number>& x, int nx, int ny, int nz, int sign) {
  std::vector<Number> result(x.size());
  for (int j = 0; j < nx * ny * nz; ++j) {
    for (int k = 0; k < nx * ny * nz; ++k) {
      const long long a = static_cast<long long>(j / (ny * nz)) * (k / (ny * nz)) % nx;
      const long long b = static_cast<long long>(j / nz % ny) * (k / nz % ny) % ny;
      const long long c = static_cast<long long>(j % nz) * (k % nz) % nz;
      const double turns = static_cast<double>(a) / nx + static_cast<double>(b) / ny + static_cast<double>(c) / nz;
      result[j] += x[k] * std::polar(1.0, sign * 2 * pi * turns);
    }
  }
  return result;
}

bool close(Number a, Number b, double limit) { return std::abs(a - b) <= limit; }

/// A transform of one dimension, forward and back, in place or not, of float and double.
void lengths(int n, int batch) {
  const auto in = numbers(static_cast<std::size_t>(n) * batch);
  std::vector<cufftComplex> narrow(in.size());
  std::vector<cufftDoubleComplex> wide(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) {
    narrow[i] = {static_cast<float>(in[i].real()), static_cast<float>(in[i].imag())};
    wide[i] = {in[i].real(), in[i].imag()};
  }
  cufftComplex *a = to_device(narrow), *b = to_device(narrow);
  cufftDoubleComplex* c = to_device(wide);
  cufftHandle plan, doubles;
  FFT(cufftPlan1d(&plan, n, CUFFT_C2C, batch));
  FFT(cufftPlan1d(&doubles, n, CUFFT_Z2Z, batch));
  FFT(cufftExecC2C(plan, a, b, CUFFT_FORWARD));
  FFT(cufftExecZ2Z(doubles, c, c, CUFFT_INVERSE));
  const auto forward = to_host(b, in.size());
  const auto inverse = to_host(c, in.size());
  for (int item = 0; item < batch; ++item) {
    const std::vector<Number> part(in.begin() + item * n, in.begin() + (item + 1) * n);
    const auto right = sums(part, 1, 1, n, -1), back = sums(part, 1, 1, n, 1);
    for (int i = 0; i < n; ++i) {
      REQUIRE(close({forward[item * n + i].x, forward[item * n + i].y}, right[i], 1e-5 * n));
      REQUIRE(close({inverse[item * n + i].x, inverse[item * n + i].y}, back[i], 1e-12 * n));
    }
  }
  FFT(cufftExecC2C(plan, b, b, CUFFT_INVERSE));  // n times the input
  const auto again = to_host(b, in.size());
  for (std::size_t i = 0; i < in.size(); ++i) {
    REQUIRE(close({again[i].x / n, again[i].y / n}, in[i], 1e-5));
  }
  FFT(cufftDestroy(plan));
  FFT(cufftDestroy(doubles));
  for (void* memory : {static_cast<void*>(a), static_cast<void*>(b), static_cast<void*>(c)}) CHECK(cudaFree(memory));
}

/// A real transform of three dimensions and back, in place with padded rows or not.
void real_numbers(int nx, int ny, int nz, bool in_place) {
  const int half = nz / 2 + 1, row = in_place ? 2 * half : nz;
  const auto in = numbers(static_cast<std::size_t>(nx) * ny * nz, true);
  std::vector<double> rows(static_cast<std::size_t>(nx) * ny * row);
  for (int i = 0; i < nx * ny * nz; ++i) rows[i / nz * row + i % nz] = in[i].real();
  double* real = to_device(rows);
  cufftDoubleComplex* spectrum = reinterpret_cast<cufftDoubleComplex*>(real);
  const std::size_t count = static_cast<std::size_t>(nx) * ny * half;
  if (!in_place) CHECK(cudaMalloc(&spectrum, count * sizeof(cufftDoubleComplex)));
  cufftHandle forward, back;
  FFT(cufftPlan3d(&forward, nx, ny, nz, CUFFT_D2Z));
  FFT(cufftPlan3d(&back, nx, ny, nz, CUFFT_Z2D));
  FFT(cufftExecD2Z(forward, real, spectrum));
  const auto right = sums(in, nx, ny, nz, -1);
  const auto found = to_host(spectrum, count);
  for (int i = 0; i < nx * ny * half; ++i) {
    REQUIRE(close({found[i].x, found[i].y}, right[i / half * nz + i % half], 1e-10));
  }
  FFT(cufftExecZ2D(back, spectrum, real));
  const auto again = to_host(real, rows.size());
  for (int i = 0; i < nx * ny * nz; ++i) {
    REQUIRE(std::fabs(again[i / nz * row + i % nz] / (nx * ny * nz) - in[i].real()) < 1e-12);
  }
  FFT(cufftDestroy(forward));
  FFT(cufftDestroy(back));
  CHECK(cudaFree(real));
  if (!in_place) CHECK(cudaFree(spectrum));
}

/// The columns of a matrix of real numbers: a batch with strides, in a stream.
void columns() {
  constexpr int rows = 12, columns = 5, half = rows / 2 + 1;
  std::vector<float> in(rows * columns);
  for (int i = 0; i < rows * columns; ++i) in[i] = static_cast<float>(value(i));
  float* matrix = to_device(in);
  cufftComplex* spectrum;
  CHECK(cudaMalloc(&spectrum, half * columns * sizeof(cufftComplex)));
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  cufftHandle plan;
  int n[] = {rows}, embedded[] = {rows}, embedded_half[] = {half};
  size_t bytes = 0;
  FFT(cufftCreate(&plan));
  FFT(cufftMakePlanMany(plan, 1, n, embedded, columns, 1, embedded_half, columns, 1, CUFFT_R2C, columns, &bytes));
  REQUIRE(bytes > 0);
  size_t same = 0;
  FFT(cufftGetSize(plan, &same));
  REQUIRE(same == bytes);
  FFT(cufftSetStream(plan, stream));
  FFT(cufftExecR2C(plan, matrix, spectrum));
  CHECK(cudaStreamSynchronize(stream));
  const auto found = to_host(spectrum, half * columns);
  for (int column = 0; column < columns; ++column) {
    std::vector<Number> part(rows);
    for (int i = 0; i < rows; ++i) part[i] = in[i * columns + column];
    const auto right = sums(part, 1, 1, rows, -1);
    for (int i = 0; i < half; ++i) {
      const cufftComplex one = found[i * columns + column];
      REQUIRE(close({one.x, one.y}, right[i], 1e-4));
    }
  }
  FFT(cufftDestroy(plan));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(matrix));
  CHECK(cudaFree(spectrum));
}

/// Batches without strides: R2C in place has padded items, and a part of a larger image has gaps.
void batches() {
  constexpr int n = 7, batch = 3, half = n / 2 + 1;
  std::vector<float> in(2 * half * batch);
  for (int i = 0; i < n * batch; ++i) in[i / n * 2 * half + i % n] = static_cast<float>(value(i));
  float* memory = to_device(in);
  cufftHandle plan;
  int length[] = {n};
  FFT(cufftPlanMany(&plan, 1, length, nullptr, 1, 0, nullptr, 1, 0, CUFFT_R2C, batch));
  FFT(cufftExecR2C(plan, memory, reinterpret_cast<cufftComplex*>(memory)));
  const auto found = to_host(memory, in.size());
  for (int item = 0; item < batch; ++item) {
    std::vector<Number> part(n);
    for (int i = 0; i < n; ++i) part[i] = in[item * 2 * half + i];
    const auto right = sums(part, 1, 1, n, -1);
    for (int i = 0; i < half; ++i) {
      REQUIRE(close({found[2 * (item * half + i)], found[2 * (item * half + i) + 1]}, right[i], 1e-4));
    }
  }
  cufftHandle inverse;
  FFT(cufftPlan1d(&inverse, n, CUFFT_C2R, batch));
  FFT(cufftExecC2R(inverse, reinterpret_cast<cufftComplex*>(memory), memory));
  const auto again = to_host(memory, in.size());
  for (int i = 0; i < n * batch; ++i) {
    REQUIRE(std::fabs(again[i / n * 2 * half + i % n] / n - in[i / n * 2 * half + i % n]) < 1e-5);
  }
  FFT(cufftDestroy(plan));
  FFT(cufftDestroy(inverse));
  CHECK(cudaFree(memory));

  const int width = 6, height = 4, image_width = 9, image_height = 5;
  const auto image = numbers(image_width * image_height);
  std::vector<cufftDoubleComplex> pixels(image.size());
  for (std::size_t i = 0; i < image.size(); ++i) pixels[i] = {image[i].real(), image[i].imag()};
  cufftDoubleComplex *from = to_device(pixels), *to = nullptr;
  CHECK(cudaMalloc(&to, width * height * sizeof(cufftDoubleComplex)));
  int sizes[] = {height, width}, large[] = {image_height, image_width}, dense[] = {height, width};
  FFT(cufftPlanMany(&plan, 2, sizes, large, 1, 0, dense, 1, 0, CUFFT_Z2Z, 1));
  FFT(cufftExecZ2Z(plan, from, to, CUFFT_FORWARD));
  std::vector<Number> part(width * height);
  for (int i = 0; i < width * height; ++i) part[i] = image[i / width * image_width + i % width];
  const auto right = sums(part, 1, height, width, -1);
  const auto result = to_host(to, width * height);
  for (int i = 0; i < width * height; ++i) REQUIRE(close({result[i].x, result[i].y}, right[i], 1e-11));
  FFT(cufftDestroy(plan));
  CHECK(cudaFree(from));
  CHECK(cudaFree(to));
}

void wrong_arguments() {
  cufftHandle plan = CUFFT_PLAN_NULL;
  cufftComplex* memory;
  CHECK(cudaMalloc(&memory, 8 * sizeof(cufftComplex)));
  CHECK(cudaMemset(memory, 0, 8 * sizeof(cufftComplex)));
  REQUIRE(cufftPlan1d(&plan, 0, CUFFT_C2C, 1) == CUFFT_INVALID_SIZE);
  REQUIRE(cufftPlan1d(&plan, 8, CUFFT_C2C, 0) == CUFFT_INVALID_SIZE);
  REQUIRE(cufftPlan1d(&plan, 8, static_cast<cufftType>(1), 1) == CUFFT_INVALID_TYPE);
  int sizes[] = {8, 8, 8, 8};
  REQUIRE(cufftPlanMany(&plan, 4, sizes, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1) == CUFFT_INVALID_VALUE);
  REQUIRE(cufftExecC2C(12345, memory, memory, CUFFT_FORWARD) == CUFFT_INVALID_PLAN);
  FFT(cufftPlan1d(&plan, 8, CUFFT_C2C, 1));
  REQUIRE(cufftExecC2C(plan, memory, memory, 0) == CUFFT_INVALID_VALUE);
  REQUIRE(cufftExecC2C(plan, nullptr, memory, CUFFT_FORWARD) == CUFFT_INVALID_VALUE);
  FFT(cufftExecC2C(plan, memory, memory, CUFFT_FORWARD));
  FFT(cufftDestroy(plan));
  REQUIRE(cufftDestroy(plan) == CUFFT_INVALID_PLAN);
  FFT(cufftDestroy(CUFFT_PLAN_NULL));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(memory));
}

int main() {
  for (const int n : {1, 2, 3, 4, 5, 8, 12, 16, 30, 49, 61, 64, 67, 97, 128, 134, 210, 509}) lengths(n, n < 50 ? 3 : 1);
  for (const bool in_place : {false, true}) {
    real_numbers(1, 1, 10, in_place);
    real_numbers(1, 5, 7, in_place);
    real_numbers(3, 4, 6, in_place);
    real_numbers(2, 3, 9, in_place);
  }
  columns();
  batches();
  wrong_arguments();
  int version = 0;
  FFT(cufftGetVersion(&version));
  REQUIRE(version >= 10000);
  return passed();
}
