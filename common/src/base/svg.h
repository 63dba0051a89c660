// SPDX-License-Identifier: MIT
// What every picture needs of SVG's text.
#pragma once

#include <string>

namespace d2l::detail::svg {

/// Text as XML wants it; what no XML may hold becomes a question mark.
std::string escaped(const std::string& text);
/// A length in the picture to a tenth, so that the last bits of a value do not show.
std::string at(double length);

}  // namespace d2l::detail::svg
