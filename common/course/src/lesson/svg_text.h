// SPDX-License-Identifier: MIT
// Text in pictures.
#pragma once

#include <string>

namespace d2l::detail {

/// Text that stands in SVG as it is.
inline std::string svg_text(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '<') {
      result += "&lt;";
    } else if (c == '&') {
      result += "&amp;";
    } else {
      result += c;
    }
  }
  return result;
}

}  // namespace d2l::detail
