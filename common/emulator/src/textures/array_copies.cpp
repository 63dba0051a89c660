// SPDX-License-Identifier: MIT
// Copies to and from arrays. Those of boxes are cudaMemcpy3D. Elements of an array are side by side, so that a copy
// of bytes that goes on in the next row is a plain one.
#include <fmt/format.h>

#include "calls/call_site.h"
#include "calls/unread_errors.h"
#include "d2l_emulator/textures/api.h"
#include "runtime/errors.h"
#include "textures/array.h"

using namespace d2l::emulator;

namespace {

/// A box of an array, whose columns are given in bytes.
struct Box {
  cudaPos begin;
  cudaExtent elements;
};
Box box_in_elements(cudaArray_const_t array, std::size_t column, std::size_t row, std::size_t width,
                    std::size_t height) {
  const std::size_t element = array_of(array).format.bytes();
  if (column % element != 0 || width % element != 0) {
    explain_failure(
        fmt::format("The first column is {} bytes and the width {} bytes: they are no multiples of the "
                    "size of an element, {} bytes, of {}",
                    column, width, element, array->text()));
    throw Failure{cudaErrorInvalidValue};
  }
  return {{column / element, row, 0}, {width / element, height, 1}};
}

/// The address of `bytes` bytes of an array from a column and a row on, and in the rows after it.
void* row_of(cudaArray_const_t array, std::size_t column, std::size_t row, std::size_t bytes) {
  const cudaArray& known = array_of(array);
  const std::size_t begin = row * known.pitch() + column;
  if (begin > known.bytes() || bytes > known.bytes() - begin) {
    explain_failure(fmt::format("{} bytes from byte {} of row {} on do not fit {}, which has {} bytes", bytes, column,
                                row, known.text(), known.bytes()));
    throw Failure{cudaErrorInvalidValue};
  }
  return known.memory + begin;
}

/// Finishes a call whose arguments `prepare` may refuse.
template <class Prepare, class Copy>
cudaError_t prepared(const Prepare& prepare, const Copy& copy) {
  const cudaError_t error = device_call(prepare);
  return error != cudaSuccess ? error : copy();
}

cudaError_t copy_bytes(const cudaArray* to_array, void* to, std::size_t to_column, std::size_t to_row,
                       const cudaArray* from_array, const void* from, std::size_t from_column, std::size_t from_row,
                       std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream, bool wait) {
  return prepared(
      [&] {
        if (to == nullptr) to = row_of(to_array, to_column, to_row, bytes);
        if (from == nullptr) from = row_of(from_array, from_column, from_row, bytes);
      },
      [&] { return wait ? cudaMemcpy(to, from, bytes, kind) : cudaMemcpyAsync(to, from, bytes, kind, stream); });
}

cudaError_t copy_box(cudaMemcpy3DParms& box, cudaStream_t stream, bool wait) {
  return wait ? cudaMemcpy3D(&box) : cudaMemcpy3DAsync(&box, stream);
}

cudaError_t copy_to_array(cudaArray_t to, std::size_t column, std::size_t row, const void* from, std::size_t pitch,
                          std::size_t width, std::size_t height, cudaMemcpyKind kind, cudaStream_t stream, bool wait) {
  cudaMemcpy3DParms box{};
  return prepared(
      [&] {
        const Box target = box_in_elements(to, column, row, width, height);
        box.srcPtr = make_cudaPitchedPtr(const_cast<void*>(from), pitch, width, height);
        box.dstArray = to;
        box.dstPos = target.begin;
        box.extent = target.elements;
        box.kind = kind;
      },
      [&] { return copy_box(box, stream, wait); });
}

cudaError_t copy_from_array(void* to, std::size_t pitch, cudaArray_const_t from, std::size_t column, std::size_t row,
                            std::size_t width, std::size_t height, cudaMemcpyKind kind, cudaStream_t stream,
                            bool wait) {
  cudaMemcpy3DParms box{};
  return prepared(
      [&] {
        const Box source = box_in_elements(from, column, row, width, height);
        box.dstPtr = make_cudaPitchedPtr(to, pitch, width, height);
        box.srcArray = const_cast<cudaArray_t>(from);
        box.srcPos = source.begin;
        box.extent = source.elements;
        box.kind = kind;
      },
      [&] { return copy_box(box, stream, wait); });
}

}  // namespace

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t column, size_t row, const void* from, size_t bytes,
                              cudaMemcpyKind kind) {
  const ApiCall call(__builtin_return_address(0));
  return copy_bytes(to, nullptr, column, row, nullptr, from, 0, 0, bytes, kind, nullptr, true);
}
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t column, size_t row, const void* from, size_t bytes,
                                   cudaMemcpyKind kind, cudaStream_t stream) {
  const ApiCall call(__builtin_return_address(0));
  return copy_bytes(to, nullptr, column, row, nullptr, from, 0, 0, bytes, kind, stream, false);
}
cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t column, size_t row, size_t bytes,
                                cudaMemcpyKind kind) {
  const ApiCall call(__builtin_return_address(0));
  return copy_bytes(nullptr, to, 0, 0, from, nullptr, column, row, bytes, kind, nullptr, true);
}
cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, size_t column, size_t row, size_t bytes,
                                     cudaMemcpyKind kind, cudaStream_t stream) {
  const ApiCall call(__builtin_return_address(0));
  return copy_bytes(nullptr, to, 0, 0, from, nullptr, column, row, bytes, kind, stream, false);
}
cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t to_column, size_t to_row, cudaArray_const_t from,
                                   size_t from_column, size_t from_row, size_t bytes, cudaMemcpyKind kind) {
  const ApiCall call(__builtin_return_address(0));
  return copy_bytes(to, nullptr, to_column, to_row, from, nullptr, from_column, from_row, bytes, kind, nullptr, true);
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t column, size_t row, const void* from, size_t pitch, size_t width,
                                size_t height, cudaMemcpyKind kind) {
  const ApiCall call(__builtin_return_address(0));
  return copy_to_array(to, column, row, from, pitch, width, height, kind, nullptr, true);
}
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t column, size_t row, const void* from, size_t pitch,
                                     size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  const ApiCall call(__builtin_return_address(0));
  return copy_to_array(to, column, row, from, pitch, width, height, kind, stream, false);
}
cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t column, size_t row,
                                  size_t width, size_t height, cudaMemcpyKind kind) {
  const ApiCall call(__builtin_return_address(0));
  return copy_from_array(to, pitch, from, column, row, width, height, kind, nullptr, true);
}
cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from, size_t column, size_t row,
                                       size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  const ApiCall call(__builtin_return_address(0));
  return copy_from_array(to, pitch, from, column, row, width, height, kind, stream, false);
}
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_column, size_t to_row, cudaArray_const_t from,
                                     size_t from_column, size_t from_row, size_t width, size_t height,
                                     cudaMemcpyKind kind) {
  const ApiCall call(__builtin_return_address(0));
  cudaMemcpy3DParms box{};
  return prepared(
      [&] {
        const Box target = box_in_elements(to, to_column, to_row, width, height);
        box.dstArray = to;
        box.dstPos = target.begin;
        box.srcArray = const_cast<cudaArray_t>(from);
        box.srcPos = box_in_elements(from, from_column, from_row, width, height).begin;
        box.extent = target.elements;
        box.kind = kind;
      },
      [&] { return copy_box(box, nullptr, true); });
}
