// SPDX-License-Identifier: MIT
// Whether bytes are UTF-8.
#pragma once

#include <cstddef>
#include <string_view>

namespace d2l::detail {

/// The place of the first byte that does not continue well-formed UTF-8; npos when all is well.
std::size_t first_invalid_utf8(std::string_view text) noexcept;

}  // namespace d2l::detail
