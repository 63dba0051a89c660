// SPDX-License-Identifier: MIT
// Streaming: writing a large result past the cache, which would first fetch each line that is only to be overwritten.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace d2l::backend::kernels {

/// Results of fewer bytes than this may still be in a cache when they are read, and are written there.
inline constexpr std::int64_t streaming_threshold = std::int64_t{32} << 20;

/// What goes to memory at once: a line of the cache.
inline constexpr std::size_t line_bytes = 64;
template <class T>
inline constexpr std::int64_t line_elements = static_cast<std::int64_t>(line_bytes / sizeof(T));

/// True where a line begins.
inline bool at_line(const void* address) { return reinterpret_cast<std::uintptr_t>(address) % line_bytes == 0; }

/// Writes a line to where one begins, in memory that nobody reads soon.
template <class T>
inline __attribute__((always_inline)) void stream_line(T* to, const T (&line)[line_bytes / sizeof(T)]) {
#if defined(__x86_64__)
  const auto* from = reinterpret_cast<const char*>(line);
  auto* at = reinterpret_cast<__m128i*>(to);
  for (std::size_t i = 0; i < line_bytes / sizeof(__m128i); ++i) {
    __m128i part;
    std::memcpy(&part, from + i * sizeof(part), sizeof(part));
    _mm_stream_si128(at + i, part);
  }
#else
  std::memcpy(to, line, line_bytes);
#endif
}

/// Makes what was streamed visible to other threads.
inline void finish_streaming() {
#if defined(__x86_64__)
  _mm_sfence();
#endif
}

}  // namespace d2l::backend::kernels
