// SPDX-License-Identifier: MIT
// fill_pooling: the kernels of max_pool2d, avg_pool2d, adaptive_avg_pool2d and their gradients.
#pragma once

#include "kernels/fill_table.h"
#include "kernels/policy.h"
#include "kernels/pooling/pooling_rows.h"
#include "kernels/pooling/pooling_windows.h"

namespace d2l::backend::kernels {

/// Runs host work on `count` rows or planes, in parallel if they have many elements.
template <class Policy, class Work>
void run_pooling(const KernelContext& context, std::int64_t count, std::int64_t elements, const Work& work) {
  Policy::for_each(elements < parallel_threshold ? on_one_thread(context) : context, count, work);
}

template <class Policy, class T>
void max_pool(const KernelContext& context, const KernelArguments& arguments) {
  const auto& operands = arguments.operands;
  const MaxPoolWork<T> work{static_cast<T*>(operands[0].data), static_cast<std::int64_t*>(operands[2].data),
                            static_cast<const T*>(operands[1].data), pooling_of(arguments)};
  const Pooling& pooling = work.pooling;
  if (pooling.windows() == 0) return;
  if constexpr (Policy::on_device) {
    Policy::for_each(context, pooling.windows(), work);
  } else {
    run_pooling<Policy>(context, pooling.planes * pooling.rows.windows, pooling.elements(),
                        PoolingRows<T, MaxPoolTile<T>>(work));
  }
}

template <class Policy, class T>
void max_pool_backward(const KernelContext& context, const KernelArguments& arguments) {
  const auto& operands = arguments.operands;
  const MaxPoolBackwardWork<T> work{static_cast<T*>(operands[0].data), static_cast<const T*>(operands[1].data),
                                    static_cast<const std::int64_t*>(operands[2].data), pooling_of(arguments)};
  const Pooling& pooling = work.pooling;
  if (pooling.elements() == 0) return;
  if constexpr (Policy::on_device) {
    Policy::for_each(context, pooling.elements(), work);
  } else if (pooling.rows.may_miss() || pooling.columns.may_miss()) {
    run_indexed<Policy>(context, pooling.elements(), work);  // the place of no element may be that of another
  } else {
    run_pooling<Policy>(context, pooling.planes, pooling.elements(), MaxPoolBackwardPlane<T>{work});
  }
}

template <class Policy, class T>
void average_pool(const KernelContext& context, const KernelArguments& arguments) {
  const AveragePoolWork<T> work{static_cast<T*>(arguments.operands[0].data),
                                static_cast<const T*>(arguments.operands[1].data), pooling_of(arguments)};
  const Pooling& pooling = work.pooling;
  if (pooling.windows() == 0) return;
  if constexpr (Policy::on_device) {
    Policy::for_each(context, pooling.windows(), work);
  } else {
    run_pooling<Policy>(context, pooling.planes * pooling.rows.windows, pooling.elements(),
                        PoolingRows<T, AveragePoolTile<T>>(work));
  }
}

template <class Policy, class T>
void average_pool_backward(const KernelContext& context, const KernelArguments& arguments) {
  const AveragePoolBackwardWork<T> work{static_cast<T*>(arguments.operands[0].data),
                                        static_cast<const T*>(arguments.operands[1].data), pooling_of(arguments)};
  const Pooling& pooling = work.pooling;
  if (pooling.elements() == 0) return;
  if constexpr (Policy::on_device) {
    Policy::for_each(context, pooling.elements(), work);
  } else {
    run_pooling<Policy>(context, pooling.planes, pooling.elements(), AveragePoolBackwardPlane<T>{work});
  }
}

template <class Policy>
void fill_pooling(KernelTable& table) {
  add_kernels<Operation::max_pool2d>(table, []<class T>(Type<T>) -> Kernel { return max_pool<Policy, T>; });
  add_kernels<Operation::max_pool2d_backward>(table,
                                              []<class T>(Type<T>) -> Kernel { return max_pool_backward<Policy, T>; });
  add_kernels<Operation::avg_pool2d>(table, []<class T>(Type<T>) -> Kernel { return average_pool<Policy, T>; });
  add_kernels<Operation::avg_pool2d_backward>(
      table, []<class T>(Type<T>) -> Kernel { return average_pool_backward<Policy, T>; });
  add_kernels<Operation::adaptive_avg_pool2d>(table,
                                              []<class T>(Type<T>) -> Kernel { return average_pool<Policy, T>; });
  add_kernels<Operation::adaptive_avg_pool2d_backward>(
      table, []<class T>(Type<T>) -> Kernel { return average_pool_backward<Policy, T>; });
}

}  // namespace d2l::backend::kernels
