// SPDX-License-Identifier: MIT
// Copies between arrays, memory of the device and of the host, of parts of rows, boxes and bytes, also in a stream.
#include <algorithm>
#include <cstring>
#include <vector>

#include "verify.h"

constexpr int width = 10, height = 6, depth = 4;
constexpr std::size_t row = width * sizeof(int);

std::vector<int> numbers(int first, int count = width * height) {
  std::vector<int> values(count);
  for (int i = 0; i < count; ++i) values[i] = first + i;
  return values;
}
cudaArray_t new_array() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  cudaArray_t array;
  CHECK(cudaMallocArray(&array, &format, width, height));
  return array;
}
cudaArray_t array_of(const std::vector<int>& values) {
  const cudaArray_t array = new_array();
  CHECK(cudaMemcpy2DToArray(array, 0, 0, values.data(), row, row, height, cudaMemcpyHostToDevice));
  return array;
}
std::vector<int> contents(cudaArray_t array) {
  std::vector<int> values(width * height);
  CHECK(cudaMemcpy2DFromArray(values.data(), row, array, 0, 0, row, height, cudaMemcpyDeviceToHost));
  return values;
}

/// A part of `from`, of 3 x 2 elements from (4, 1) on, to (5, 3) of `to`.
std::vector<int> with_part(std::vector<int> to, const std::vector<int>& from) {
  for (int y = 0; y < 2; ++y) {
    for (int x = 0; x < 3; ++x) to[(3 + y) * width + 5 + x] = from[(1 + y) * width + 4 + x];
  }
  return to;
}

/// The pitch of one row is not used, so that it may be 0.
void test_one_row() {
  const std::vector<int> a = numbers(0), b = numbers(1000);
  const cudaArray_t target = array_of(a);
  CHECK(cudaMemcpy2DToArray(target, 0, 2, b.data(), 0, row, 1, cudaMemcpyHostToDevice));
  std::vector<int> expected = a;
  std::copy(b.begin(), b.begin() + width, expected.begin() + 2 * width);
  verify(contents(target) == expected, "one row with a pitch of 0");
  verify(cudaMemcpy2DToArray(target, 0, 2, b.data(), 0, row, 2, cudaMemcpyHostToDevice) == cudaErrorInvalidPitchValue,
         "two rows with a pitch of 0");
  verify(cudaGetLastError() == cudaErrorInvalidPitchValue, "the error of two rows with a pitch of 0");
  CHECK(cudaFreeArray(target));
}

void test_rectangles() {
  const std::vector<int> a = numbers(0), b = numbers(1000);
  const std::vector<int> expected = with_part(a, b);
  const std::size_t element = sizeof(int);
  const cudaArray_t target = array_of(a), source = array_of(b);
  CHECK(cudaMemcpy2DArrayToArray(target, 5 * element, 3, source, 4 * element, 1, 3 * element, 2,
                                 cudaMemcpyDeviceToDevice));
  verify(contents(target) == expected, "cudaMemcpy2DArrayToArray");

  const cudaArray_t second = array_of(a);
  CHECK(cudaMemcpy2DToArray(second, 5 * element, 3, &b[width + 4], row, 3 * element, 2, cudaMemcpyHostToDevice));
  verify(contents(second) == expected, "cudaMemcpy2DToArray of a part");

  std::vector<int> host = a;
  CHECK(
      cudaMemcpy2DFromArray(&host[3 * width + 5], row, source, 4 * element, 1, 3 * element, 2, cudaMemcpyDeviceToHost));
  verify(host == expected, "cudaMemcpy2DFromArray of a part");
  for (const cudaArray_t array : {target, source, second}) CHECK(cudaFreeArray(array));
}

void test_device_memory_in_a_stream() {
  const std::vector<int> a = numbers(0);
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  int* pitched;
  std::size_t pitch = 0;
  CHECK(cudaMallocPitch(&pitched, &pitch, row, height));
  const cudaArray_t first = array_of(a), second = new_array();
  CHECK(cudaMemcpy2DFromArrayAsync(pitched, pitch, first, 0, 0, row, height, cudaMemcpyDeviceToDevice, stream));
  CHECK(cudaMemcpy2DToArrayAsync(second, 0, 0, pitched, pitch, row, height, cudaMemcpyDeviceToDevice, stream));
  CHECK(cudaStreamSynchronize(stream));
  verify(contents(second) == a, "copies in a stream");
  CHECK(cudaFreeArray(first));
  CHECK(cudaFreeArray(second));
  CHECK(cudaFree(pitched));
  CHECK(cudaStreamDestroy(stream));
}

void test_boxes() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  const cudaExtent all = make_cudaExtent(width, height, depth);
  const std::vector<int> values = numbers(0, width * height * depth);
  cudaArray_t cube, copied;
  CHECK(cudaMalloc3DArray(&cube, &format, all));
  CHECK(cudaMalloc3DArray(&copied, &format, all));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(const_cast<int*>(values.data()), row, width, height);
  copy.dstArray = cube;
  copy.extent = all;
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));
  copy = {};
  copy.srcArray = cube;
  copy.dstArray = copied;
  copy.extent = all;
  copy.kind = cudaMemcpyDeviceToDevice;
  CHECK(cudaMemcpy3DAsync(&copy));
  // A box of 2 x 3 x 2 elements from (1, 2, 1) on, to a place in memory whose first coordinate is in bytes.
  std::vector<int> box(4 * 3 * 2, -1);
  copy = {};
  copy.srcArray = copied;
  copy.srcPos = make_cudaPos(1, 2, 1);
  copy.dstPtr = make_cudaPitchedPtr(box.data(), 4 * sizeof(int), 4, 3);
  copy.dstPos = make_cudaPos(sizeof(int), 0, 0);
  copy.extent = make_cudaExtent(2, 3, 2);
  copy.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaMemcpy3D(&copy));
  for (int z = 0; z < 2; ++z) {
    for (int y = 0; y < 3; ++y) {
      for (int x = 0; x < 4; ++x) {
        const bool inside = x == 1 || x == 2;
        const int expected = inside ? ((z + 1) * height + y + 2) * width + x : -1;
        verify(box[(z * 3 + y) * 4 + x] == expected, "cudaMemcpy3D of a box");
      }
    }
  }
  CHECK(cudaFreeArray(cube));
  CHECK(cudaFreeArray(copied));
}

/// The older copies, of bytes that go on in the next row.
void test_bytes() {
  const std::vector<int> a = numbers(0), b = numbers(1000);
  const cudaArray_t array = new_array(), other = new_array();
  CHECK(cudaMemcpyToArray(array, 0, 0, a.data(), row * height, cudaMemcpyHostToDevice));
  verify(contents(array) == a, "cudaMemcpyToArray");
  std::vector<int> host(2 * width);
  CHECK(cudaMemcpyFromArray(host.data(), array, 0, 2, 2 * row, cudaMemcpyDeviceToHost));
  verify(std::memcmp(host.data(), &a[2 * width], 2 * row) == 0, "cudaMemcpyFromArray");
  CHECK(cudaMemcpyToArrayAsync(other, 0, 0, b.data(), row * height, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpyArrayToArray(other, 0, 1, array, 0, 3, row));
  CHECK(cudaMemcpyFromArrayAsync(host.data(), other, 0, 0, 2 * row, cudaMemcpyDeviceToHost));
  CHECK(cudaDeviceSynchronize());
  verify(std::memcmp(host.data(), b.data(), row) == 0, "the row before");
  verify(std::memcmp(&host[width], &a[3 * width], row) == 0, "cudaMemcpyArrayToArray");
  CHECK(cudaFreeArray(array));
  CHECK(cudaFreeArray(other));
}

int main() {
  test_rectangles();
  test_one_row();
  test_device_memory_in_a_stream();
  test_boxes();
  test_bytes();
  return passed();
}
