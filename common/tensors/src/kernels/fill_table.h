// SPDX-License-Identifier: MIT
// Filling a table of kernels from the table of operations.
#pragma once

#include "kernels/activation_functions.h"
#include "kernels/elementwise_kernel.h"
#include "kernels/kernel_table.h"

namespace d2l::backend::kernels {

/// A kernel in the table.
inline Kernel& entry(KernelTable& table, Operation operation, ScalarType type) {
  return table.kernels[static_cast<std::size_t>(operation)][static_cast<std::size_t>(type)];
}

/// Calls use.operator()<type>() for every dtype.
template <class Use>
void for_each_type(const Use& use) {
  use.template operator()<kBool>();
  use.template operator()<kByte>();
  use.template operator()<kInt>();
  use.template operator()<kLong>();
  use.template operator()<kFloat>();
  use.template operator()<kDouble>();
}

/// A type as an argument.
template <class T>
struct Type {};

/// Adds the kernel choose(Type<T>{}) for every dtype that the table of operations lists; T holds an element.
template <Operation operation, class Choose>
void add_kernels(KernelTable& table, const Choose& choose) {
  for_each_type([&]<ScalarType type>() {
    if constexpr (contains(info(operation).types, type)) {
      entry(table, operation, type) = choose(Type<Element<type>>{});
    }
  });
}

/// Adds the kernels of an elementwise operation, which applies F.
template <class Policy, Operation operation, class F>
void add_elementwise(KernelTable& table) {
  add_kernels<operation>(table, []<class T>(Type<T>) -> Kernel {
    constexpr auto kind = info(operation).kind;
    using Out = std::conditional_t<kind == OperationKind::comparison, Boolean, T>;
    return elementwise_kernel < Policy, F, Out, T, kind == OperationKind::unary ? 1 : 2 > ;
  });
}

}  // namespace d2l::backend::kernels
