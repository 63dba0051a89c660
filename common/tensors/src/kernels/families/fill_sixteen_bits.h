// SPDX-License-Identifier: MIT
// fill_sixteen_bits: the elementwise kernels of Half and BFloat16 on a card. The host has those of float, on blocks.
#pragma once

#include "kernels/fill_table.h"

namespace d2l::backend::kernels {

/// Adds the kernels of a public operation, which applies F.
template <class Policy, Operation operation, class F>
void add_sixteen_bit_kernels(KernelTable& table) {
  if constexpr (Policy::on_device && contains(info(operation).types, kHalf)) {
    const auto add = [&table]<ScalarType type>() {
      constexpr auto kind = info(operation).kind;
      using T = Element<type>;
      using Out = std::conditional_t<kind == OperationKind::comparison, Boolean, T>;
      entry(table, operation, type) = elementwise_kernel < Policy, F, Out, T, kind == OperationKind::unary ? 1 : 2 > ;
    };
    add.template operator()<kHalf>();
    add.template operator()<kBFloat16>();
  }
}

template <class Policy>
void fill_sixteen_bits(KernelTable& table) {
#define D2L_ADD(name, ...) add_sixteen_bit_kernels<Policy, Operation::name, functions::name>(table);
  D2L_UNARY_OPERATIONS(D2L_ADD)
  D2L_BINARY_OPERATIONS(D2L_ADD)
  D2L_PAIR_OPERATIONS(D2L_ADD)
  D2L_COMPARISONS(D2L_ADD)
#undef D2L_ADD
  static_cast<void>(table);
}

}  // namespace d2l::backend::kernels
