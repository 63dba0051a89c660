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
  // Elements of 16 bits: their own dtype by bits, others by way of float32.
  const auto copy = [&table](ScalarType from, ScalarType to) -> Kernel& {
    return table.copies[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)];
  };
  using Bits = std::uint16_t;
  copy(kHalf, kHalf) = copy(kBFloat16, kBFloat16) = elementwise_kernel<Policy, ConvertTo<Bits>, Bits, Bits, 1>;
  if constexpr (Policy::on_device) {
    copy(kHalf, kFloat) = elementwise_kernel<Policy, ConvertTo<float>, float, Half, 1>;
    copy(kFloat, kHalf) = elementwise_kernel<Policy, ConvertTo<Half>, Half, float, 1>;
    copy(kBFloat16, kFloat) = elementwise_kernel<Policy, ConvertTo<float>, float, BFloat16, 1>;
    copy(kFloat, kBFloat16) = elementwise_kernel<Policy, ConvertTo<BFloat16>, BFloat16, float, 1>;
  }
  add_kernels<Operation::fill>(
      table, []<class T>(Type<T>) -> Kernel { return elementwise_kernel<Policy, ConvertTo<T>, T, T, 1>; });
}

}  // namespace d2l::backend::kernels
