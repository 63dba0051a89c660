// SPDX-License-Identifier: MIT
// Helpers to write SVG.
#pragma once

#include <string>

namespace d2l::detail::svg {

/// Text escaped for XML; characters that XML does not allow become question marks.
std::string escaped(const std::string& text);
/// A length rounded to tenths, so that the output does not depend on rounding errors.
std::string at(double length);

}  // namespace d2l::detail::svg
