// SPDX-License-Identifier: MIT
/// @file
/// MissingMembers: the members of LibTorch's Tensor that ours does not have. A call does not compile and says what to
/// use.
#pragma once

#include <cstddef>

#include "d2l/missing/names.h"
#include "d2l/missing/sentence.h"

namespace d2l {

/// An empty base class of Tensor.
class MissingMembers {
 public:
  /// @cond
#define D2L_MISSING(name, advice) D2L_MISSING_CALL(name, "d2l has no Tensor::" #name "(): " advice)
  D2L_MISSING_OPERATIONS(D2L_MISSING)
  D2L_MISSING_MEMBERS(D2L_MISSING)
#undef D2L_MISSING
  template <class T, std::size_t dimensions,
            detail::Sentence says = "d2l has no Tensor::accessor(): use data_ptr() and stride(), or to_vector()">
  void accessor() const = delete;
#define D2L_MISSING(symbol, advice) \
  D2L_MISSING_OPERATOR(operator symbol, "d2l has no Tensor::operator" #symbol ": " advice)
  D2L_MISSING_BINARY_OPERATORS(D2L_MISSING)
#undef D2L_MISSING
  template <detail::Sentence says = "d2l has no Tensor::operator~: use logical_not() for bool">
  void operator~() const = delete;
  template <class... Arguments>
  requires(detail::exists<Arguments...>("d2l has no Tensor::operator~: use logical_not() for bool")) void operator~()
      const;
  /// @endcond
};

}  // namespace d2l
