// SPDX-License-Identifier: MIT
// Makes text of a submission safe to show.
#pragma once

#include <string>
#include <string_view>

namespace d2l::grading {

/// `text` as UTF-8 with tabs and newlines but no other control characters, and none that are invisible or change the
/// direction of writing: U+FFFD replaces the rest.
std::string printable(std::string_view text);
/// The same without tabs and newlines, cut after `most` bytes.
std::string one_line(std::string_view text, std::size_t most = 100);
/// At most 200 bytes of the first line that is not empty.
std::string first_line(std::string_view text);
/// For XML and HTML, in text and in attributes.
std::string escape_xml(std::string_view text);

}  // namespace d2l::grading
