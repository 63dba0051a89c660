// SPDX-License-Identifier: MIT
// Streaming: writing a large result past the cache, which would first fetch each line that is only to be overwritten.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace d2l::backend::kernels {

/// Results of fewer bytes than this may still be in a cache when they are read, and are written there.
inline constexpr std::int64_t streaming_threshold = std::int64_t{32} << 20;

/// Copies `bytes` bytes to memory that nobody reads soon.
inline void stream_copy(char* to, const char* from, std::size_t bytes) {
#if defined(__x86_64__)
  constexpr std::size_t line = 16;
  const std::size_t before = std::min(bytes, (line - reinterpret_cast<std::uintptr_t>(to) % line) % line);
  std::memcpy(to, from, before);
  std::size_t at = before;
  for (; at + line <= bytes; at += line) {
    _mm_stream_si128(reinterpret_cast<__m128i*>(to + at), _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + at)));
  }
  std::memcpy(to + at, from + at, bytes - at);
#else
  std::memcpy(to, from, bytes);
#endif
}

/// Makes what was streamed visible to other threads.
inline void finish_streaming() {
#if defined(__x86_64__)
  _mm_sfence();
#endif
}

/// Calls row(data, strides, count), of which data[0] is a contiguous result, through a buffer that is then streamed.
template <class Row>
void stream_row(Row row, std::array<char*, 3> data, std::array<std::int64_t, 3> strides,
                const std::array<std::int64_t, 3>& element_sizes, std::int64_t count) {
  alignas(64) std::array<char, 512>
      buffer;  // short, so that reading and streaming overlap: measured best of 128 to 8192
  const std::int64_t room = static_cast<std::int64_t>(buffer.size()) / element_sizes[0];
  for (std::int64_t done = 0; done < count;) {
    const std::int64_t part = std::min(room, count - done);
    char* const out = data[0];
    data[0] = buffer.data();
    row(data.data(), strides.data(), part);
    stream_copy(out, buffer.data(), static_cast<std::size_t>(part * element_sizes[0]));
    data[0] = out;
    for (std::size_t k = 0; k < 3; ++k) data[k] += part * strides[k] * element_sizes[k];
    done += part;
  }
  finish_streaming();
}

}  // namespace d2l::backend::kernels
