// SPDX-License-Identifier: MIT
// Choosing a kernel of a table.
#pragma once

#include <fmt/format.h>

#include "d2l/error.h"
#include "kernels/kernel.h"

namespace d2l::backend {

/// The kernel for these operands. Raises a TypeError where the table has none; `device` is the kind in its message.
inline Kernel find_kernel(const KernelTable& table, Operation operation, const KernelArguments& arguments,
                          const char* device) {
  const Kernel kernel = table.find(operation, arguments);
  if (kernel != nullptr) return kernel;
  const Operand& typed = arguments.operands[arguments.operand_count > 1 ? 1 : 0];
  const char* const name = info(operation).name;
  throw TypeError(fmt::format(
      "[{0}] \"{0}_{1}\" not implemented for '{2}': {1} has no kernel for it. Convert the tensor first, for "
      "example with .to(kFloat)",
      name, device, toString(typed.dtype)));
}

}  // namespace d2l::backend
