// SPDX-License-Identifier: MIT
// The arguments of kernels: plain data that can wait in a queue.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "d2l/dtype.h"
#include "d2l/shape.h"

namespace d2l::backend {

/// A number of an operation's own dtype: `real` for floating-point kernels, `integer` for the others.
struct Immediate {
  double real = 0;
  std::int64_t integer = 0;
};

/// One array that a kernel reads or writes; a number when `data` is null.
struct Operand {
  void* data = nullptr;
  std::int64_t extent = 0;  ///< bytes from data to the end of the last element that is used
  ScalarType dtype = kFloat;
  Immediate immediate;
  std::array<std::int64_t, max_dimensions>
      strides;  ///< in elements, along `sizes`; 0 where it is broadcast. Only kernels of strided arrays read them
};

/// The operands that a kernel has at most.
inline constexpr std::size_t max_operands = 7;

/// The public operation that an index belongs to. `index` counts negative indices from the end.
enum class IndexUse : std::int8_t { index_select, gather, index, one_hot };

/// How a window moves over an image (height, width), of a convolution or of pooling.
struct Window {
  std::array<std::int64_t, 2> size;      ///< of the window
  std::array<std::int64_t, 2> stride;    ///< from one window to the next
  std::array<std::int64_t, 2> padding;   ///< added on each side
  std::array<std::int64_t, 2> dilation;  ///< from one element of the window to the next
};

/// The arguments of any kernel. operands[0] is the output. kernels/operations.h of tensors says what each kind of
/// operation reads.
struct KernelArguments {
  int rank = 0;
  int operand_count = 0;
  std::array<std::int64_t, max_dimensions> sizes;
  std::array<Operand, max_operands> operands;
  std::array<Immediate, 2> parameters;
  std::array<double, 7> coefficients;  ///< only kernels of optimisers read them
  Window window;                       ///< only kernels of windows read it
};

/// Where a kernel runs: the CUDA stream, and functions for memory that lasts until the kernel ends and for cuBLAS.
struct KernelContext {
  void* stream = nullptr;  ///< a cudaStream_t; null on the host
  int threads = 1;         ///< how many threads a kernel on the host may use
  void* (*scratch)(const KernelContext&, std::size_t bytes) = nullptr;
  void (*release_scratch)(const KernelContext&, void*) = nullptr;
  /// The cublasHandle_t of the device, created by the first call; null on the host.
  void* (*library)(const KernelContext&) = nullptr;
};

/// The processor that runs the kernels of a device: one of the host, or one of a card.
enum class Processor : std::int8_t { host, cuda };

using Kernel = void (*)(const KernelContext&, const KernelArguments&);

/// A kernel with the name of its operation, for messages.
struct NamedKernel {
  const char* name = nullptr;
  Kernel run = nullptr;
};

}  // namespace d2l::backend
