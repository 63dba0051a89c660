// SPDX-License-Identifier: MIT
// For tests: the arguments of a kernel.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "backend/kernel.h"
#include "d2l/dtype.h"

namespace d2l::testing {

using Sizes = std::vector<std::int64_t>;

inline backend::Operand operand_at(void* data, std::size_t bytes, ScalarType dtype, const Sizes& strides) {
  backend::Operand result{};
  result.data = data;
  result.extent = static_cast<std::int64_t>(bytes);
  result.dtype = dtype;
  std::copy(strides.begin(), strides.end(), result.strides.begin());
  return result;
}

/// A number in place of an array.
inline backend::Operand number(ScalarType dtype, double value) {
  backend::Operand operand{};
  operand.dtype = dtype;
  operand.immediate = {value, value == value ? static_cast<std::int64_t>(value) : 0};
  return operand;
}

inline backend::KernelArguments arguments_of(const Sizes& sizes, const std::vector<backend::Operand>& operands) {
  backend::KernelArguments arguments{};
  arguments.rank = static_cast<int>(sizes.size());
  arguments.operand_count = static_cast<int>(operands.size());
  std::copy(sizes.begin(), sizes.end(), arguments.sizes.begin());
  std::copy(operands.begin(), operands.end(), arguments.operands.begin());
  return arguments;
}

}  // namespace d2l::testing
