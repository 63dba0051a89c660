// SPDX-License-Identifier: MIT
#include "kernels/kernel_table.h"

namespace d2l::backend {

const KernelTable& kernels_of(Processor processor) {
  return processor == Processor::host ? host_kernels() : cuda_kernels();
}

}  // namespace d2l::backend
