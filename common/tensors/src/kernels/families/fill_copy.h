// SPDX-License-Identifier: MIT
// fill_copy: the kernels that copy and convert elements, between any dtypes, and that fill a shape with a number.
#pragma once

#include "kernels/fill_table.h"

namespace d2l::backend::kernels {

template <class Policy>
void fill_copy(KernelTable& table) {
  for_each_type([&table]<ScalarType from>() {
    for_each_type([&table]<ScalarType to>() {
      table.copies[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)] =
          elementwise_kernel<Policy, ConvertTo<Element<to>>, Element<to>, Element<from>, 1>;
    });
  });
  add_kernels<Operation::fill>(
      table, []<class T>(Type<T>) -> Kernel { return elementwise_kernel<Policy, ConvertTo<T>, T, T, 1>; });
}

}  // namespace d2l::backend::kernels
