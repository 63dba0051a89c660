// SPDX-License-Identifier: MIT
// Arrays of the runtime: elements of device memory in a plain order, rows by rows, without unused bytes between them.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "d2l_emulator/runtime_types.h"
#include "textures/format.h"

/// What a cudaArray_t points to.
struct cudaArray {
  int device = 0;
  cudaChannelFormatDesc description{};
  d2l::emulator::TexelFormat format;
  cudaExtent extent{};  ///< as the program gives it: 0 for dimensions that it does not have
  unsigned flags = 0;
  std::byte* memory = nullptr;
  bool is_level = false;  ///< of a mipmapped array, which frees it

  [[nodiscard]] std::size_t width() const { return extent.width; }
  [[nodiscard]] std::size_t rows() const { return extent.height == 0 ? 1 : extent.height; }
  /// Planes of a 3D array, layers, or faces.
  [[nodiscard]] std::size_t planes() const { return extent.depth == 0 ? 1 : extent.depth; }
  [[nodiscard]] std::size_t pitch() const { return width() * format.bytes(); }
  [[nodiscard]] std::size_t bytes() const { return pitch() * rows() * planes(); }
  [[nodiscard]] bool layered() const { return (flags & cudaArrayLayered) != 0; }
  [[nodiscard]] bool cubemap() const { return (flags & cudaArrayCubemap) != 0; }
  /// "an array of 64 x 32 float4".
  [[nodiscard]] std::string text() const;
};

/// What a cudaMipmappedArray_t points to.
struct cudaMipmappedArray {
  std::vector<std::unique_ptr<cudaArray>> levels;  ///< the first one has the memory of all
};

namespace d2l::emulator {

/// Failure, with its reason, if there is no such array or if it is freed.
const cudaArray& array_of(cudaArray_const_t array);
const cudaMipmappedArray& mipmapped_array_of(cudaMipmappedArray_const_t array);
/// The first byte of the box of elements that begins at a position; Failure if the array does not contain the box.
std::byte* begin_of_box(const cudaArray& array, const cudaPos& position, const cudaExtent& elements);

}  // namespace d2l::emulator
