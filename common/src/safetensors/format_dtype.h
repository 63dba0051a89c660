// SPDX-License-Identifier: MIT
// The element types that the safetensors format names, of which ours are some.
#pragma once

#include <optional>
#include <string_view>

#include "d2l/dtype.h"

namespace d2l::detail::safetensors {

/// An element type of the format.
struct FormatDtype {
  std::string_view name;
  int bits;                        ///< of one element; some types pack two into a byte, or four into three
  std::optional<ScalarType> ours;  ///< unset where the library has no such type
  int rank = 0;                    ///< of ours: tensors of a higher rank stand first in a file
};

/// The type of that name; null when the format has none.
const FormatDtype* find_format_dtype(std::string_view name) noexcept;
/// How the format names one of our types.
const FormatDtype& format_dtype_of(ScalarType type) noexcept;

}  // namespace d2l::detail::safetensors
