// SPDX-License-Identifier: MIT
// Pages of 16 and of 64 KiB, as machines with ARM processors have: what is mapped and protected begins and ends at
// them.
#include "base/page_size.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstddef>

#include "backend/virtual_gpu/arena.h"

namespace {

std::atomic<int> protections{0};
std::atomic<int> wrong_protections{0};
std::atomic<bool> maps_once{false};  // as QEMU and valgrind do

}  // namespace

// In place of the C library's: a kernel with larger pages would protect more than was asked for.
extern "C" int mprotect(void* address, std::size_t bytes, int access) noexcept {
  ++protections;
  if (bytes % d2l::detail::page_bytes() != 0) ++wrong_protections;
  return static_cast<int>(::syscall(SYS_mprotect, address, bytes, access));
}

extern "C" void* mremap(void* address, std::size_t old_bytes, std::size_t bytes, int flags, ...) noexcept {
  va_list more;
  va_start(more, flags);
  void* const place = (flags & MREMAP_FIXED) != 0 ? va_arg(more, void*) : nullptr;
  va_end(more);
  if (maps_once && old_bytes == 0) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address
  return reinterpret_cast<void*>(::syscall(SYS_mremap, address, old_bytes, bytes, flags, place));
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

TEST(VirtualMemory, IsMappedTwiceFromAFileWhereTheSystemCannotRemap) {
  maps_once = true;
  backend::Arena arena(0, 100'000);
  maps_once = false;
  arena.use_up_to(8);
  auto* const first = static_cast<char*>(arena.device_address(0));
  *static_cast<char*>(arena.alias(first)) = 7;
  arena.open();
  EXPECT_EQ(*first, 7);
  arena.close();
}

INSTANTIATE_TEST_SUITE_P(Pages, PageSize, ::testing::Values(4096, 16384, 65536));

}  // namespace
}  // namespace d2l::tests
