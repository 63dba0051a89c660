// SPDX-License-Identifier: MIT
#include "base/page_size.h"

#include <unistd.h>

#include <atomic>

namespace d2l::detail {
namespace {

std::atomic<std::size_t> assumed{0};

}  // namespace

std::size_t page_bytes() noexcept {
  const std::size_t bytes = assumed.load();
  return bytes != 0 ? bytes : static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

AssumedPages::AssumedPages(std::size_t bytes) noexcept { assumed = bytes; }
AssumedPages::~AssumedPages() { assumed = 0; }

}  // namespace d2l::detail
