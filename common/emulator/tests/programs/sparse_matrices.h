// SPDX-License-Identifier: MIT
// Small matrices for programs with cuSPARSE: dense ones on the host, sparse ones on the device.
#pragma once

#define DISABLE_CUSPARSE_DEPRECATED  // functions on vectors are deprecated in CUDA 13

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cusparse.h>

#include <cmath>
#include <complex>
#include <string>
#include <type_traits>
#include <vector>

#include "verify.h"

#define SPARSE(call)                                                                                       \
  do {                                                                                                     \
    const cusparseStatus_t status_ = (call);                                                               \
    if (status_ != CUSPARSE_STATUS_SUCCESS) {                                                              \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cusparseGetErrorString(status_)); \
      std::exit(EXIT_FAILURE);                                                                             \
    }                                                                                                      \
  } while (0)

template <class T>
cudaDataType type_of() {
  if (std::is_same<T, float>::value) return CUDA_R_32F;
  if (std::is_same<T, double>::value) return CUDA_R_64F;
  if (std::is_same<T, __half>::value) return CUDA_R_16F;
  if (std::is_same<T, __nv_bfloat16>::value) return CUDA_R_16BF;
  return std::is_same<T, std::complex<float>>::value ? CUDA_C_32F : CUDA_C_64F;
}

template <class T>
T* memory_of(std::size_t count) {
  T* memory = nullptr;
  CHECK(cudaMalloc(&memory, count * sizeof(T)));
  return memory;
}
template <class T>
T* upload(const std::vector<T>& host) {
  T* const memory = memory_of<T>(host.size());
  CHECK(cudaMemcpy(memory, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
  return memory;
}
template <class T>
std::vector<T> download(const T* memory, std::size_t count) {
  CHECK(cudaDeviceSynchronize());
  std::vector<T> host(count);
  CHECK(cudaMemcpy(host.data(), memory, count * sizeof(T), cudaMemcpyDeviceToHost));
  return host;
}
template <class... T>
void release(T*... memory) {
  CHECK(cudaDeviceSynchronize());
  for (void* each : {static_cast<void*>(memory)...}) CHECK(cudaFree(each));
}

template <class E, class T>
std::vector<E> converted(const std::vector<T>& from) {
  std::vector<E> to;
  for (const T& each : from) to.push_back(E(each));
  return to;
}

template <class T>
struct Number {
  static T make(double real, double) { return T(real); }
};
template <class T>
struct Number<std::complex<T>> {
  static std::complex<T> make(double real, double imaginary) { return {T(real), T(imaginary)}; }
};
/// Numbers that half and bfloat16 hold without rounding.
template <class T>
std::vector<T> numbers(int count) {
  std::vector<T> result;
  for (int i = 0; i < count; ++i) result.push_back(Number<T>::make((i * 7 % 11 - 5) * 0.25, (i * 3 % 5 - 2) * 0.5));
  return result;
}

template <class T>
bool close(T a, T b, std::size_t element_bytes) {
  return std::abs(a - b) <= (element_bytes == 2 ? 0.03 : (sizeof(T) % 8 == 0 ? 1e-5 : 1e-4)) * (1 + std::abs(b));
}

template <class T>
struct Dense {
  int rows, columns;
  std::vector<T> values;  // row by row
  T& at(int row, int column) { return values[row * columns + column]; }
  const T& at(int row, int column) const { return values[row * columns + column]; }
};

/// A matrix with an empty row, an empty column, and about a third of its elements.
template <class T>
Dense<T> pattern(int rows, int columns) {
  Dense<T> a{rows, columns, std::vector<T>(rows * columns)};
  const std::vector<T> values = numbers<T>(rows * columns * 2);
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      if (row != 2 && column != 3 && (row * 5 + column * 3) % 4 < 2) a.at(row, column) = values[row * columns + column];
    }
  }
  return a;
}

enum class Format { csr, csc, coo };

/// A sparse matrix on the device, with all elements of a dense one that are not 0.
template <class E, class Index>
class OnDevice {
 public:
  template <class T>
  OnDevice(const Dense<T>& a, Format format, int base) {
    std::vector<Index> lines, others, offsets{Index(base)};
    std::vector<E> values;
    const bool by_column = format == Format::csc;
    for (int line = 0; line < (by_column ? a.columns : a.rows); ++line) {
      for (int other = 0; other < (by_column ? a.rows : a.columns); ++other) {
        const T value = by_column ? a.at(other, line) : a.at(line, other);
        if (value == T{}) continue;
        lines.push_back(line + base);
        others.push_back(other + base);
        values.push_back(E(value));
      }
      offsets.push_back(Index(values.size()) + base);
    }
    nnz = int(values.size());
    first = upload(format == Format::coo ? lines : offsets);
    indices = upload(others);
    elements = upload(values);
    const auto type = sizeof(Index) == 4 ? CUSPARSE_INDEX_32I : CUSPARSE_INDEX_64I;
    const auto from = base == 0 ? CUSPARSE_INDEX_BASE_ZERO : CUSPARSE_INDEX_BASE_ONE;
    if (format == Format::coo) {
      SPARSE(
          cusparseCreateCoo(&description, a.rows, a.columns, nnz, first, indices, elements, type, from, type_of<E>()));
    } else {
      const auto create = format == Format::csr ? cusparseCreateCsr : cusparseCreateCsc;
      SPARSE(create(&description, a.rows, a.columns, nnz, first, indices, elements, type, type, from, type_of<E>()));
    }
  }
  ~OnDevice() {
    cusparseDestroySpMat(description);
    release(first, indices, elements);
  }
  OnDevice(const OnDevice&) = delete;

  cusparseSpMatDescr_t description;
  int nnz;
  Index *first, *indices;
  E* elements;
};
