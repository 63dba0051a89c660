// SPDX-License-Identifier: MIT
// KernelTable: the kernels of one kind of processor.
#pragma once

#include <array>
#include <cstddef>

#include "backend/kernel.h"
#include "kernels/operations.h"

namespace d2l::backend {

/// By operation and dtype of the input; null where PyTorch has none.
struct KernelTable {
  std::array<std::array<Kernel, scalar_type_count>, operation_count> kernels{};
  /// copy: from dtype, to dtype.
  std::array<std::array<Kernel, scalar_type_count>, scalar_type_count> copies{};

  [[nodiscard]] Kernel find(Operation operation, const KernelArguments& arguments) const {
    const auto& out = arguments.operands[0];
    if (operation == Operation::copy) {
      return copies[static_cast<std::size_t>(arguments.operands[1].dtype)][static_cast<std::size_t>(out.dtype)];
    }
    const bool by_input = arguments.operand_count > 1;
    return kernels[static_cast<std::size_t>(operation)]
                  [static_cast<std::size_t>(by_input ? arguments.operands[1].dtype : out.dtype)];
  }
};

/// Those of the CPU and of virtual GPUs in host memory.
const KernelTable& host_kernels();
/// Those of CUDA; none in a build without it.
const KernelTable& cuda_kernels();
/// Those of a processor: no layer above knows which there are.
const KernelTable& kernels_of(Processor processor);

}  // namespace d2l::backend
