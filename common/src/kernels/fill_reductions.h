// SPDX-License-Identifier: MIT
// fill_reductions: the kernels that reduce the middle of {outer, reduced, inner}.
#pragma once

#include "kernels/elementwise.h"
#include "kernels/reduce.h"
#include "kernels/reductions.h"

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

template <class Policy, ScalarType type>
void add_reductions(KernelTable& table) {
  using T = Element<type>;
  using Sum = std::conditional_t<is_floating<T>, T, std::int64_t>;
  entry(table, Operation::sum, type) = reduction_kernel<Policy, SumReduction<T, Sum>>;
  entry(table, Operation::max, type) = extreme<Policy, T, Larger>;
  entry(table, Operation::min, type) = extreme<Policy, T, Smaller>;
  if constexpr (!is_boolean<T>) {
    entry(table, Operation::argmax, type) =
        reduction_kernel<Policy, ExtremeIndexReduction<T, std::int64_t, Larger, true>>;
  }
  if constexpr (is_floating<T>) {
    entry(table, Operation::mean, type) = reduction_kernel<Policy, MeanReduction<T>>;
    entry(table, Operation::norm, type) = reduction_kernel<Policy, NormReduction<T>>;
  }
}

template <class Policy>
void fill_reductions(KernelTable& table) {
  add_reductions<Policy, kBool>(table);
  add_reductions<Policy, kByte>(table);
  add_reductions<Policy, kInt>(table);
  add_reductions<Policy, kLong>(table);
  add_reductions<Policy, kFloat>(table);
  add_reductions<Policy, kDouble>(table);
}

}  // namespace d2l::backend::kernels
