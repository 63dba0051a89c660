// SPDX-License-Identifier: MIT
// Kernels of Half and BFloat16 that are those of float: they convert inputs to float, call the kernel, and round
// results once.
#pragma once

#include <cstddef>
#include <utility>

#include "kernels/kernel_table.h"

namespace d2l::backend::kernels {

/// Whether a kernel changes its operand number k.
bool is_written(Operation operation, std::size_t k);
/// Whether a kernel reads its operand number k, also if it changes it.
bool is_read(Operation operation, std::size_t k, const KernelArguments& arguments);
/// The arguments with float32 for each operand of 16 bits. Their data is still that of the operands.
KernelArguments with_floats(const KernelArguments& arguments);

/// Converts whole operands in scratch memory, by copies of `table`.
void run_widened(const KernelContext& context, const KernelArguments& arguments, const KernelTable& table,
                 Operation operation);

/// The kernel of an operation, which runs by `Widen`: Widen::table() has the kernels of float32, and Widen::run has the
/// parameters of run_widened().
template <class Widen, Operation operation>
void widened_kernel(const KernelContext& context, const KernelArguments& arguments) {
  Widen::run(context, arguments, Widen::table(), operation);
}

/// Adds widened kernels for the operations and copies that have a kernel for float32, but none for 16 bits.
template <class Widen>
void add_widened(KernelTable& table) {
  const auto add = [](Kernel& kernel, Kernel widened) {
    if (kernel == nullptr) kernel = widened;
  };
  const auto index = [](ScalarType type) { return static_cast<std::size_t>(type); };
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    const auto add_all = [&](std::size_t number, Kernel widened) {
      auto& kernels = table.kernels[number];
      if (kernels[index(kFloat)] == nullptr) return;
      add(kernels[index(kHalf)], widened);
      add(kernels[index(kBFloat16)], widened);
    };
    (add_all(i, widened_kernel<Widen, static_cast<Operation>(i)>), ...);
  }
  (std::make_index_sequence<operation_count>{});
  for (std::size_t type = 0; type < scalar_type_count; ++type) {
    for (const ScalarType small : {kHalf, kBFloat16}) {
      add(table.copies[index(small)][type], widened_kernel<Widen, Operation::copy>);
      add(table.copies[type][index(small)], widened_kernel<Widen, Operation::copy>);
    }
  }
}

}  // namespace d2l::backend::kernels
