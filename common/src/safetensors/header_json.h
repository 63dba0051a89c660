// SPDX-License-Identifier: MIT
// The characters of a header, read from the file piece by piece, as an iterator that a parser takes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "safetensors/input_file.h"

namespace d2l::detail::safetensors {

/// Reads the bytes from `begin` to before `end`; refuses a file with a zero byte among them.
class HeaderBytes {
 public:
  HeaderBytes(const InputFile& file, std::int64_t begin, std::int64_t end) : file_(file), next_(begin), end_(end) {}

  /// The place in the file of the byte that comes next.
  [[nodiscard]] std::int64_t position() const noexcept { return next_ - static_cast<std::int64_t>(filled_ - at_); }
  [[nodiscard]] bool at_end() {
    if (at_ == filled_ && next_ < end_) fill();
    return at_ == filled_;
  }
  [[nodiscard]] char current() { return at_end() ? '\0' : piece_[at_]; }
  void advance() noexcept { ++at_; }

 private:
  void fill();

  const InputFile& file_;
  std::int64_t next_;
  std::int64_t end_;
  std::size_t at_ = 0;
  std::size_t filled_ = 0;
  std::array<char, std::size_t{32} << 10> piece_{};
};

/// An input iterator over HeaderBytes; the one without any is the end.
class HeaderIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = char;

  HeaderIterator() = default;
  explicit HeaderIterator(HeaderBytes& bytes) : bytes_(&bytes) {}
  char operator*() const { return bytes_->current(); }
  HeaderIterator& operator++() {
    bytes_->advance();
    return *this;
  }
  HeaderIterator operator++(int) {
    const auto before = *this;
    bytes_->advance();
    return before;
  }
  friend bool operator==(const HeaderIterator& a, const HeaderIterator& b) { return a.ended() == b.ended(); }
  friend bool operator!=(const HeaderIterator& a, const HeaderIterator& b) { return !(a == b); }

 private:
  [[nodiscard]] bool ended() const { return bytes_ == nullptr || bytes_->at_end(); }

  HeaderBytes* bytes_ = nullptr;
};

}  // namespace d2l::detail::safetensors
