// SPDX-License-Identifier: MIT
// Fingerprints of files.
#pragma once

#include <string>
#include <string_view>

namespace d2l::runner {

/// The SHA-256 of some bytes, in 64 hexadecimal digits.
std::string sha256(std::string_view bytes);

}  // namespace d2l::runner
