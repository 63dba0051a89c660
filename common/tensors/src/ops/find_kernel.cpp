// SPDX-License-Identifier: MIT
#include "ops/find_kernel.h"

#include <fmt/format.h>

#include "d2l/error.h"
#include "kernels/kernel_table.h"

namespace d2l::backend {

NamedKernel find_kernel(const Backend& backend, Operation operation, const KernelArguments& arguments) {
  const char* const name = info(operation).name;
  const Kernel kernel = kernels_of(backend.processor()).find(operation, arguments);
  if (kernel != nullptr) return {name, kernel};
  const Operand& typed = arguments.operands[arguments.operand_count > 1 ? 1 : 0];
  throw TypeError(fmt::format(
      "[{0}] \"{0}_{1}\" not implemented for '{2}': {1} has no kernel for it. Convert the tensor first, for "
      "example with .to(kFloat)",
      name, &backend == &cpu_backend() ? "cpu" : "cuda", toString(typed.dtype)));
}

}  // namespace d2l::backend
