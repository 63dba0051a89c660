// SPDX-License-Identifier: MIT
// Text that a stranger wrote, made fit to be shown.
#pragma once

#include <string>
#include <string_view>

namespace d2l::grading {

/// `text` as UTF-8 without control characters (tabs and newlines stay): bytes that are none become U+FFFD.
std::string shown(std::string_view text);
/// The first line that is not empty, at most 200 bytes of it.
std::string first_line(std::string_view text);
/// For XML and HTML, in text and in attributes.
std::string escaped(std::string_view text);

}  // namespace d2l::grading
