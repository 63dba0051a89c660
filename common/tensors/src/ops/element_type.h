// SPDX-License-Identifier: MIT
// The C++ type of a dtype, in host memory.
#pragma once

#include "d2l/dtype.h"

namespace d2l::detail {

/// Calls use.operator()<T>(), where T is the type of an element of `dtype`.
template <class Use>
auto with_element_type(ScalarType dtype, const Use& use) {
  switch (dtype) {
    case kBool:
      return use.template operator()<bool>();
    case kByte:
      return use.template operator()<std::uint8_t>();
    case kInt:
      return use.template operator()<std::int32_t>();
    case kLong:
      return use.template operator()<std::int64_t>();
    case kHalf:
      return use.template operator()<Half>();
    case kBFloat16:
      return use.template operator()<BFloat16>();
    case kFloat:
      return use.template operator()<float>();
    case kDouble:
      break;
  }
  return use.template operator()<double>();
}

}  // namespace d2l::detail
