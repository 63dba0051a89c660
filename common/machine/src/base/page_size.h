// SPDX-License-Identifier: MIT
// The size of a page of memory: 4 KiB on x86, 4, 16 or 64 KiB on ARM.
#pragma once

#include <cstddef>

namespace d2l::detail {

/// The bytes of a page: mappings and their protection begin and end at multiples of it.
[[nodiscard]] std::size_t page_bytes() noexcept;

/// In this scope page_bytes() is `bytes`, a multiple of the system's, in all threads: tests run with the pages of other
/// machines.
class AssumedPages {
 public:
  explicit AssumedPages(std::size_t bytes) noexcept;
  ~AssumedPages();
  AssumedPages(const AssumedPages&) = delete;
  AssumedPages& operator=(const AssumedPages&) = delete;
};

}  // namespace d2l::detail
