// SPDX-License-Identifier: MIT
// Small changes of text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace d2l::runner {

/// The lines of a text without their ends; a final \n does not add an empty line.
std::vector<std::string> lines_of(std::string_view text);
/// Replaces every `from`.
std::string replaced(std::string text, std::string_view from, std::string_view to);
/// A text without the escape codes with which compilers colour it.
std::string without_escape_codes(std::string_view text);
/// Text in HTML or XML: & < > and double quotes as entities.
std::string html(std::string_view text);
/// A title in lower-case letters, digits and underscores: "Copy a tensor" → "copy_a_tensor".
std::string slug(std::string_view title);

}  // namespace d2l::runner
