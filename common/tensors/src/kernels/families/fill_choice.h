// SPDX-License-Identifier: MIT
// fill_choice: the elementwise kernels of three or four inputs.
#pragma once

#include "kernels/choice_kernel.h"
#include "kernels/fill_table.h"

namespace d2l::backend::kernels {

/// Adds the kernels of an operation of `inputs` inputs of one type, which applies F.
template <class Policy, Operation operation, class F, int inputs>
void add_choice(KernelTable& table) {
  add_kernels<operation>(table, []<class T>(Type<T>) -> Kernel {
    if constexpr (inputs == 3) {
      return choice_kernel<Policy, F, T, T, T, T>;
    } else {
      return choice_kernel<Policy, F, T, T, T, T, T>;
    }
  });
}

/// The kernels of `where`, one for each size of an element: they copy bits.
template <class Policy>
void add_where(KernelTable& table) {
  add_kernels<Operation::where>(table, []<class T>(Type<T>) -> Kernel {
    using Bits = std::conditional_t<sizeof(T) == 1, std::uint8_t,
                                    std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>;
    return choice_kernel<Policy, functions::where, Bits, Bits, Bits, Boolean>;
  });
}

template <class Policy>
void fill_choice(KernelTable& table) {
#define D2L_ADD(name, types, inputs, ...)                                \
  if constexpr (Operation::name != Operation::where) {                   \
    add_choice<Policy, Operation::name, functions::name, inputs>(table); \
  }
  D2L_CHOICE_OPERATIONS(D2L_ADD)
#undef D2L_ADD
  add_where<Policy>(table);
}

}  // namespace d2l::backend::kernels
