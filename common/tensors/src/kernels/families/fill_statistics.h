// SPDX-License-Identifier: MIT
// fill_statistics: the kernels of products, variances, and logarithms of sums of exponentials, over {outer, reduced,
// inner}.
#pragma once

#include "kernels/fill_table.h"
#include "kernels/reduce.h"
#include "kernels/statistics.h"

namespace d2l::backend::kernels {

template <class Policy>
void fill_statistics(KernelTable& table) {
  add_kernels<Operation::prod>(table, []<class T>(Type<T>) -> Kernel {
    return reduction_kernel<Policy, ProductReduction<T, std::conditional_t<is_floating<T>, T, std::int64_t>>>;
  });
  add_kernels<Operation::var>(
      table, []<class T>(Type<T>) -> Kernel { return reduction_kernel<Policy, VarianceReduction<T, false>>; });
  add_kernels<Operation::std>(
      table, []<class T>(Type<T>) -> Kernel { return reduction_kernel<Policy, VarianceReduction<T, true>>; });
  add_kernels<Operation::logsumexp>(
      table, []<class T>(Type<T>) -> Kernel { return reduction_kernel<Policy, ExponentialSumReduction<T>>; });
}

}  // namespace d2l::backend::kernels
