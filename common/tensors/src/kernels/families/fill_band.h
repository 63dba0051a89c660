// SPDX-License-Identifier: MIT
// fill_band: a triangle of each matrix, with zeros elsewhere.
#pragma once

#include "kernels/fill_table.h"
#include "kernels/policy.h"

namespace d2l::backend::kernels {

/// out (outer, n, m) = a where the column − row is at most `diagonal` (at least, for the upper triangle), else 0. T has
/// the size of an element; a 0 of any type has no bits.
template <class T, bool upper>
struct BandWork {
  T* out;
  const T* a;
  std::int64_t n;
  std::int64_t m;
  std::int64_t diagonal;

  D2L_HOST_DEVICE void operator()(std::int64_t at) const {
    const std::int64_t difference = at % m - at / m % n;
    const bool inside = upper ? difference >= diagonal : difference <= diagonal;
    out[at] = inside ? a[at] : T{0};
  }
};

template <class Policy, class T, bool upper>
void band_kernel(const KernelContext& context, const KernelArguments& arguments) {
  const BandWork<T, upper> work{static_cast<T*>(arguments.operands[0].data),
                                static_cast<const T*>(arguments.operands[1].data), arguments.sizes[1],
                                arguments.sizes[2], arguments.parameters[0].integer};
  const std::int64_t count = arguments.sizes[0] * work.n * work.m;
  run_indexed<Policy>(count < parallel_threshold ? on_one_thread(context) : context, count, work);
}

template <class Policy>
void fill_band(KernelTable& table) {
  add_kernels<Operation::tril>(table,
                               []<class T>(Type<T>) -> Kernel { return band_kernel<Policy, ElementBits<T>, false>; });
  add_kernels<Operation::triu>(table,
                               []<class T>(Type<T>) -> Kernel { return band_kernel<Policy, ElementBits<T>, true>; });
}

}  // namespace d2l::backend::kernels
