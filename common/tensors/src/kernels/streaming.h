// SPDX-License-Identifier: MIT
// Streaming: writing a large result without the cache, which would first read each line that the result overwrites.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace d2l::backend::kernels {

/// Smaller results, in bytes, are written to the cache, where they may still be when they are read.
inline constexpr std::int64_t streaming_threshold = std::int64_t{32} << 20;

/// The bytes of a cache line, which is written at once.
inline constexpr std::size_t line_bytes = 64;
template <class T>
inline constexpr std::int64_t line_elements = static_cast<std::int64_t>(line_bytes / sizeof(T));

/// True if a cache line begins at the address.
inline bool at_line(const void* address) { return reinterpret_cast<std::uintptr_t>(address) % line_bytes == 0; }

/// Writes a cache line to an aligned address, without the cache.
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

/// Makes streamed results visible to other threads.
inline void finish_streaming() {
#if defined(__x86_64__)
  _mm_sfence();
#endif
}

}  // namespace d2l::backend::kernels
