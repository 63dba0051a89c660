// SPDX-License-Identifier: MIT
// For tests: the resident memory of the process, and whether a sanitizer makes it meaningless.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <fstream>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define D2L_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define D2L_SANITIZED 1
#endif
#endif

namespace d2l::testing {

#ifdef D2L_SANITIZED
inline constexpr bool sanitized = true;  // its runtime keeps freed memory
#else
inline constexpr bool sanitized = false;
#endif

/// The bytes of this process in main memory.
inline std::int64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::int64_t total = 0;
  std::int64_t resident = 0;
  file >> total >> resident;
  return resident * ::sysconf(_SC_PAGESIZE);
}

}  // namespace d2l::testing
