// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace d2l::runner {

/// The SHA-256 of `bytes` as 64 hexadecimal digits.
std::string sha256(std::string_view bytes);

}  // namespace d2l::runner
