// SPDX-License-Identifier: MIT
// fill_creation: the kernels without inputs: random numbers and ranges.
#pragma once

#include "kernels/fill_table.h"
#include "kernels/policy.h"
#include "kernels/random.h"

namespace d2l::backend::kernels {

template <class Policy, class F, class T>
void random_kernel(const KernelContext& context, const KernelArguments& arguments) {
  constexpr auto size = static_cast<std::uint64_t>(RandomBlock<T>::size);
  const std::int64_t count = element_count(arguments);
  if (count == 0) return;
  const auto seed = static_cast<std::uint64_t>(arguments.parameters[0].integer);
  const auto offset = static_cast<std::uint64_t>(arguments.parameters[1].integer);
  const std::uint64_t last = offset + static_cast<std::uint64_t>(count) - 1;
  const RandomWork<F, T> work{static_cast<T*>(arguments.operands[0].data), count, seed, offset};
  run_indexed<Policy>(context, static_cast<std::int64_t>(last / size - offset / size + 1), work);
}

/// out[i] = start + i × step, in double or in wrapping integers.
template <class T>
struct RangeWork {
  using Number = std::conditional_t<is_floating<T>, double, std::uint64_t>;
  T* out;
  Number start;
  Number step;

  D2L_HOST_DEVICE void operator()(std::int64_t i) const {
    out[i] = static_cast<T>(start + static_cast<Number>(i) * step);
  }
};

template <class Policy, class T>
void range_kernel(const KernelContext& context, const KernelArguments& arguments) {
  RangeWork<T> work{};
  work.out = static_cast<T*>(arguments.operands[0].data);
  if constexpr (is_floating<T>) {
    work.start = arguments.parameters[0].real;
    work.step = arguments.parameters[1].real;
  } else {
    work.start = static_cast<std::uint64_t>(arguments.parameters[0].integer);
    work.step = static_cast<std::uint64_t>(arguments.parameters[1].integer);
  }
  run_indexed<Policy>(context, element_count(arguments), work);
}

/// `count` numbers at equal distances, counted from the nearer end.
template <class T>
struct LinspaceWork {
  T* out;
  std::int64_t count;
  double start;
  double end;

  D2L_HOST_DEVICE void operator()(std::int64_t i) const {
    const double step = count > 1 ? (end - start) / static_cast<double>(count - 1) : 0;
    const double value = i < count / 2 || count == 1 ? start + step * static_cast<double>(i)
                                                     : end - step * static_cast<double>(count - 1 - i);
    out[i] = convert<T>(value);
  }
};

template <class Policy, class T>
void linspace_kernel(const KernelContext& context, const KernelArguments& arguments) {
  const std::int64_t count = arguments.sizes[0];
  const LinspaceWork<T> work{static_cast<T*>(arguments.operands[0].data), count, arguments.parameters[0].real,
                             arguments.parameters[1].real};
  run_indexed<Policy>(context, count, work);
}

template <class Policy>
void fill_creation(KernelTable& table) {
  add_kernels<Operation::rand>(table, []<class T>(Type<T>) -> Kernel { return random_kernel<Policy, Uniform, T>; });
  add_kernels<Operation::randn>(table, []<class T>(Type<T>) -> Kernel { return random_kernel<Policy, Normal, T>; });
  add_kernels<Operation::arange>(table, []<class T>(Type<T>) -> Kernel { return range_kernel<Policy, T>; });
  add_kernels<Operation::linspace>(table, []<class T>(Type<T>) -> Kernel { return linspace_kernel<Policy, T>; });
}

}  // namespace d2l::backend::kernels
