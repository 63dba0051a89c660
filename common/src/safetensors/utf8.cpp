// SPDX-License-Identifier: MIT
// Whether bytes are UTF-8, as the Unicode standard's table of well-formed sequences says.
#include "safetensors/utf8.h"

namespace d2l::detail {
namespace {

/// What may follow a first byte: how many bytes, and the range of the first of them; the others are 80 to BF.
struct Sequence {
  std::size_t following;
  unsigned char low;
  unsigned char high;
};

/// `following` is npos for a byte that begins nothing.
Sequence sequence_of(unsigned char first) noexcept {
  constexpr auto none = std::string_view::npos;
  if (first < 0x80) return {0, 0, 0};
  if (first < 0xC2) return {none, 0, 0};  // a following byte, or a longer form of ASCII
  if (first < 0xE0) return {1, 0x80, 0xBF};
  if (first == 0xE0) return {2, 0xA0, 0xBF};
  if (first == 0xED) return {2, 0x80, 0x9F};  // no surrogates
  if (first < 0xF0) return {2, 0x80, 0xBF};
  if (first == 0xF0) return {3, 0x90, 0xBF};
  if (first < 0xF4) return {3, 0x80, 0xBF};
  if (first == 0xF4) return {3, 0x80, 0x8F};  // up to 10FFFF
  return {none, 0, 0};
}

}  // namespace

std::size_t first_invalid_utf8(std::string_view text) noexcept {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto sequence = sequence_of(static_cast<unsigned char>(text[i]));
    if (sequence.following == std::string_view::npos) return i;
    for (std::size_t j = 0; j < sequence.following; ++j) {
      if (++i == text.size()) return i;
      const auto byte = static_cast<unsigned char>(text[i]);
      const bool first = j == 0;
      if (byte < (first ? sequence.low : 0x80) || byte > (first ? sequence.high : 0xBF)) return i;
    }
  }
  return std::string_view::npos;
}

}  // namespace d2l::detail
