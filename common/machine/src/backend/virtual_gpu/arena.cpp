// SPDX-License-Identifier: MIT
// Arena: anonymous shared memory, mapped twice.
#include "backend/virtual_gpu/arena.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "backend/virtual_gpu/fault_handler.h"
#include "base/page_size.h"
#include "d2l/error.h"
#include "values/gpu_type.h"

namespace d2l::backend {
namespace {

std::size_t round_up_to_pages(std::size_t bytes) {
  const std::size_t page = detail::page_bytes();
  return (bytes + page - 1) / page * page;
}

// Around the device's addresses nothing is mapped: beyond them lie no stacks and no variables of threads, which a
// kernel could reach by a wrong index, and from whose arrays it could reach the device's memory.
constexpr std::size_t margin = std::size_t{1} << 20;

/// Maps shared memory twice, the second time between margins; MAP_FAILED for both or for the second if that fails.
std::pair<void*, void*> map_twice(std::size_t bytes) {
  void* const reserved =
      mmap(nullptr, bytes + 2 * margin, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (reserved == MAP_FAILED) return {MAP_FAILED, MAP_FAILED};
  void* const place = static_cast<std::byte*>(reserved) + margin;
  const auto map = [bytes](void* at, int flags, int file) {
    return mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | flags, file, 0);
  };
  // No file: then no limit on files or descriptors applies.
  void* const first = map(nullptr, MAP_ANONYMOUS, -1);
  void* second = MAP_FAILED;
  if (first != MAP_FAILED) {
    second = mremap(first, 0, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, place);  // an old size of 0 keeps the first mapping
    if (second != MAP_FAILED) return {first, second};
  }
  std::pair both{first, second};
  if (first != MAP_FAILED) {  // valgrind and QEMU, for example, can do that with a file only
    munmap(first, bytes);
    const int file = memfd_create("virtual_gpu", MFD_CLOEXEC);
    const bool sized = file >= 0 && ftruncate(file, static_cast<off_t>(bytes)) == 0;
    both = {sized ? map(nullptr, 0, file) : MAP_FAILED, sized ? map(place, MAP_FIXED, file) : MAP_FAILED};
    if (file >= 0) close(file);
  }
  if (both.second == MAP_FAILED) munmap(reserved, bytes + 2 * margin);
  return both;
}

/// Removes the second mapping, with its margins.
void unmap_device(void* addresses, std::size_t bytes) {
  munmap(static_cast<std::byte*>(addresses) - margin, bytes + 2 * margin);
}

}  // namespace

Arena::Arena(int device, std::size_t bytes) : bytes_(bytes), mapped_bytes_(round_up_to_pages(bytes)) {
  const auto [alias, addresses] = map_twice(mapped_bytes_);
  if (addresses == MAP_FAILED || mprotect(addresses, mapped_bytes_, PROT_NONE) != 0) {
    const int error = errno;
    if (addresses != MAP_FAILED) unmap_device(addresses, mapped_bytes_);
    if (alias != MAP_FAILED) munmap(alias, mapped_bytes_);
    throw ConfigurationError(fmt::format(
        "[virtual GPUs] cannot reserve {} bytes of address space for the memory of {}: {}. Ask for less memory or "
        "fewer devices, for example D2L_VIRTUAL_GPUS=2:512MiB",
        bytes, detail::gpu_number(device).str(), std::strerror(error)));
  }
  alias_ = static_cast<std::byte*>(alias);
  device_ = static_cast<std::byte*>(addresses);
  slot_ = guard_addresses(device, device_, mapped_bytes_);
}

Arena::~Arena() {
  unguard_addresses(slot_);
  unmap_device(device_, mapped_bytes_);
  munmap(alias_, mapped_bytes_);
}

void Arena::use_up_to(std::size_t end) {
  const std::lock_guard lock(opening_);
  if (end <= used_.load()) return;
  used_ = end;
  if (openings_ > 0) mprotect(device_, round_up_to_pages(end), PROT_READ | PROT_WRITE);
}

void Arena::open() {
  const std::lock_guard lock(opening_);
  const std::size_t used = round_up_to_pages(used_.load());
  if (openings_++ > 0 || used == 0) return;
  if (mprotect(device_, used, PROT_READ | PROT_WRITE) == 0) return;
  --openings_;
  throw FatalDeviceError(fmt::format("CUDA error: cannot open the memory of a virtual GPU: {}", std::strerror(errno)));
}

void Arena::close() noexcept {
  const std::lock_guard lock(opening_);
  const std::size_t used = round_up_to_pages(used_.load());
  if (--openings_ == 0 && used > 0) mprotect(device_, used, PROT_NONE);
}

}  // namespace d2l::backend
