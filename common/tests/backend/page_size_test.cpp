// SPDX-License-Identifier: MIT
// Pages of 16 and of 64 KiB, as machines with ARM processors have: what is mapped and protected begins and ends at
// them.
#include "base/page_size.h"

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>

#include "backend/virtual_gpu/arena.h"

namespace {

std::atomic<int> protections{0};
std::atomic<int> wrong_protections{0};

}  // namespace

// In place of the C library's: a kernel with larger pages would protect more than was asked for.
extern "C" int mprotect(void* address, std::size_t bytes, int access) noexcept {
  ++protections;
  if (bytes % d2l::detail::page_bytes() != 0) ++wrong_protections;
  return static_cast<int>(::syscall(SYS_mprotect, address, bytes, access));
}

namespace d2l::tests {
namespace {

class PageSize : public ::testing::TestWithParam<std::size_t> {
 protected:
  const detail::AssumedPages pages_{GetParam()};
};

TEST_P(PageSize, TheMemoryOfADeviceIsWholePages) {
  wrong_protections = 0;
  const int before = protections;
  constexpr std::size_t bytes = 100'000;
  backend::Arena arena(0, bytes);
  EXPECT_EQ(arena.bytes(), bytes);
  arena.use_up_to(1);
  auto* const last = static_cast<char*>(arena.device_address(bytes - 1));
  *static_cast<char*>(arena.alias(last)) = 7;
  arena.open();
  arena.use_up_to(bytes);
  EXPECT_EQ(*last, 7);
  arena.close();
  EXPECT_EQ(wrong_protections, 0);
  EXPECT_GE(protections, before + 4);
  EXPECT_DEATH(*last = 1, "host code read memory of cuda:0");
}

INSTANTIATE_TEST_SUITE_P(Pages, PageSize, ::testing::Values(4096, 16384, 65536));

}  // namespace
}  // namespace d2l::tests
