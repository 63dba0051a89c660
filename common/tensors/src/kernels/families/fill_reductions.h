// SPDX-License-Identifier: MIT
// fill_reductions: the kernels that reduce the middle of {outer, reduced, inner}.
#pragma once

#include "kernels/fill_table.h"
#include "kernels/reduce.h"
#include "kernels/reduction_operators.h"

namespace d2l::backend::kernels {

/// max or min: with the winners' indices when there is a third operand.
template <class Policy, class T, class Order>
void extreme(const KernelContext& context, const KernelArguments& arguments) {
  if (arguments.operand_count > 2) {
    reduction_kernel<Policy, ExtremeIndexReduction<T, T, Order, false>>(context, arguments);
  } else {
    reduction_kernel<Policy, ExtremeReduction<T, Order>>(context, arguments);
  }
}

template <class Policy>
void fill_reductions(KernelTable& table) {
  add_kernels<Operation::sum>(table, []<class T>(Type<T>) -> Kernel {
    return reduction_kernel<Policy, SumReduction<T, std::conditional_t<is_floating<T>, T, std::int64_t>>>;
  });
  add_kernels<Operation::mean>(table,
                               []<class T>(Type<T>) -> Kernel { return reduction_kernel<Policy, MeanReduction<T>>; });
  add_kernels<Operation::norm>(table,
                               []<class T>(Type<T>) -> Kernel { return reduction_kernel<Policy, NormReduction<T>>; });
  add_kernels<Operation::max>(table, []<class T>(Type<T>) -> Kernel { return extreme<Policy, T, Larger>; });
  add_kernels<Operation::min>(table, []<class T>(Type<T>) -> Kernel { return extreme<Policy, T, Smaller>; });
  add_kernels<Operation::argmax>(table, []<class T>(Type<T>) -> Kernel {
    return reduction_kernel<Policy, ExtremeIndexReduction<T, std::int64_t, Larger, true>>;
  });
  add_kernels<Operation::argmin>(table, []<class T>(Type<T>) -> Kernel {
    return reduction_kernel<Policy, ExtremeIndexReduction<T, std::int64_t, Smaller, true>>;
  });
}

}  // namespace d2l::backend::kernels
