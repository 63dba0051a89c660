// SPDX-License-Identifier: MIT
// fill_copy: the kernels that move elements: from any dtype to any, and a number to all of a shape.
#pragma once

#include "kernels/elementwise.h"
#include "kernels/functions.h"

namespace d2l::backend::kernels {

template <class Policy, ScalarType from, ScalarType to>
void add_copy(KernelTable& table) {
  table.copies[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)] =
      elementwise_kernel<Policy, ConvertTo<Element<to>>, Element<to>, Element<from>, 1>;
}

template <class Policy, ScalarType type>
void add_copies(KernelTable& table) {
  add_copy<Policy, type, kBool>(table);
  add_copy<Policy, type, kByte>(table);
  add_copy<Policy, type, kInt>(table);
  add_copy<Policy, type, kLong>(table);
  add_copy<Policy, type, kFloat>(table);
  add_copy<Policy, type, kDouble>(table);
  entry(table, Operation::fill, type) =
      elementwise_kernel<Policy, ConvertTo<Element<type>>, Element<type>, Element<type>, 1>;
}

template <class Policy>
void fill_copy(KernelTable& table) {
  add_copies<Policy, kBool>(table);
  add_copies<Policy, kByte>(table);
  add_copies<Policy, kInt>(table);
  add_copies<Policy, kLong>(table);
  add_copies<Policy, kFloat>(table);
  add_copies<Policy, kDouble>(table);
}

}  // namespace d2l::backend::kernels
