// SPDX-License-Identifier: MIT
// The characters of a header, read from the file piece by piece: what the JSON parser reads from.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <streambuf>

#include "safetensors/input_file.h"

namespace d2l::detail::safetensors {

/// Reads the bytes from `begin` to before `end`; refuses a file with a zero byte among them.
class HeaderBytes : public std::streambuf {
 public:
  HeaderBytes(const InputFile& file, std::int64_t begin, std::int64_t end) : file_(file), next_(begin), end_(end) {}

  /// The position in the file of the next byte.
  [[nodiscard]] std::int64_t position() const noexcept { return next_ - (egptr() - gptr()); }

 protected:
  int_type underflow() override;

 private:
  const InputFile& file_;
  std::int64_t next_;
  std::int64_t end_;
  std::array<char, std::size_t{32} << 10> piece_{};
};

}  // namespace d2l::detail::safetensors
