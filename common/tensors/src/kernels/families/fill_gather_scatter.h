// SPDX-License-Identifier: MIT
// fill_gather_scatter: gather takes one class of many by an index; scatter writes one back among zeros.
#pragma once

#include <algorithm>

#include "kernels/fill_table.h"
#include "kernels/policy.h"

namespace d2l::backend::kernels {

/// Throws IndexError: `target` is not in [0, classes).
[[noreturn]] void fail_target(std::int64_t target, std::int64_t classes);

/// Throws IndexError; on a GPU, ends the kernel and makes the device unusable for this process.
D2L_HOST_DEVICE inline void refuse_target(std::int64_t target, std::int64_t classes) {
#ifdef __CUDA_ARCH__
  static_cast<void>(target);
  static_cast<void>(classes);
  // The function behind assert(), which works with NDEBUG too: going on would train on wrong data.
  __assert_fail("[cross_entropy] target >= 0 && target < classes: Target is out of bounds.", __FILE__, __LINE__,
                __func__);
#else
  fail_target(target, classes);
#endif
}

/// The arrays of gather and scatter: (outer, classes, inner) and (outer, inner).
template <class T>
struct IndexedArrays {
  T* out;
  const T* a;
  const std::int64_t* index;
  std::int64_t classes;
  std::int64_t inner;
  std::int64_t ignored;

  [[nodiscard]] D2L_HOST_DEVICE bool refused(std::int64_t target) const {
    return target != ignored && (target < 0 || target >= classes);
  }
};

/// out[o, i] = a[o, index[o, i], i].
template <class T>
struct GatherWork : IndexedArrays<T> {
  D2L_HOST_DEVICE void operator()(std::int64_t at) const {
    const std::int64_t target = this->index[at];
    if (this->refused(target)) refuse_target(target, this->classes);
    const std::int64_t o = at / this->inner;
    this->out[at] = target == this->ignored ? static_cast<T>(-0.0)
                                            : this->a[(o * this->classes + target) * this->inner + at % this->inner];
  }
};

/// out[o, c, i] = a[o, i] where c is index[o, i], else 0.
template <class T>
struct ScatterWork : IndexedArrays<T> {
  D2L_HOST_DEVICE void operator()(std::int64_t at) const {
    const std::int64_t c = at / this->inner % this->classes;
    const std::int64_t from = at / this->inner / this->classes * this->inner + at % this->inner;
    const std::int64_t target = this->index[from];
    this->out[at] = target == c && target != this->ignored ? this->a[from] : T{0};
  }
};

/// ScatterWork for one index of `outer`, on a host: most of the output is zero.
template <class T>
void scatter_block(const ScatterWork<T>& work, std::int64_t o) {
  T* const block = work.out + o * work.classes * work.inner;
  std::fill_n(block, work.classes * work.inner, T{0});
  for (std::int64_t i = 0; i < work.inner; ++i) {
    const std::int64_t target = work.index[o * work.inner + i];
    if (target == work.ignored || work.refused(target)) continue;
    block[target * work.inner + i] = work.a[o * work.inner + i];
  }
}

template <class T>
IndexedArrays<T> indexed_arrays(const KernelArguments& arguments) {
  return {static_cast<T*>(arguments.operands[0].data),
          static_cast<const T*>(arguments.operands[1].data),
          static_cast<const std::int64_t*>(arguments.operands[2].data),
          arguments.sizes[1],
          arguments.sizes[2],
          arguments.parameters[0].integer};
}

template <class Policy, class T>
void gather(const KernelContext& context, const KernelArguments& arguments) {
  const GatherWork<T> work{indexed_arrays<T>(arguments)};
  const std::int64_t count = arguments.sizes[0] * work.inner;
  if constexpr (!Policy::on_device) {
    for (std::int64_t i = 0; i < count; ++i) {
      if (work.refused(work.index[i])) fail_target(work.index[i], work.classes);
    }
  }
  run_indexed<Policy>(context, count, work);
}

template <class Policy, class T>
void scatter(const KernelContext& context, const KernelArguments& arguments) {
  const ScatterWork<T> work{indexed_arrays<T>(arguments)};
  const std::int64_t outer = arguments.sizes[0];
  const std::int64_t count = outer * work.classes * work.inner;
  if (count == 0) return;
  if constexpr (Policy::on_device) {
    Policy::for_each(context, count, work);
  } else if (count < parallel_threshold) {
    for (std::int64_t o = 0; o < outer; ++o) scatter_block(work, o);
  } else {
    Policy::for_each(context, outer, [&work](std::int64_t o) { scatter_block(work, o); });
  }
}

template <class Policy>
void fill_gather_scatter(KernelTable& table) {
  add_kernels<Operation::gather>(table, []<class T>(Type<T>) -> Kernel { return gather<Policy, T>; });
  add_kernels<Operation::scatter>(table, []<class T>(Type<T>) -> Kernel { return scatter<Policy, T>; });
}

}  // namespace d2l::backend::kernels
