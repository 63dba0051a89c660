// SPDX-License-Identifier: MIT
// The element types of the safetensors format; the library has some of them.
#pragma once

#include <optional>
#include <string_view>

#include "d2l/dtype.h"

namespace d2l::detail::safetensors {

/// An element type of the format.
struct FormatDtype {
  std::string_view name;
  int bits;                        ///< of one element; some types pack two into a byte, or four into three bytes
  std::optional<ScalarType> ours;  ///< unset where the library has no such type
  int rank = 0;                    ///< of ours: tensors of a higher rank come first in a file
};

/// The type of that name; null when the format has none.
const FormatDtype* find_format_dtype(std::string_view name) noexcept;
/// The entry of one of the library's types.
const FormatDtype& format_dtype_of(ScalarType type) noexcept;

}  // namespace d2l::detail::safetensors
