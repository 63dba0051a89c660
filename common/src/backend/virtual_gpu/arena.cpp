// SPDX-License-Identifier: MIT
// Arena: anonymous shared memory, mapped twice.
#include "backend/virtual_gpu/arena.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "backend/virtual_gpu/fault_handler.h"
#include "d2l/error.h"

namespace d2l::backend {
namespace {

std::size_t round_up_to_pages(std::size_t bytes) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return (bytes + page - 1) / page * page;
}

}  // namespace

Arena::Arena(int device, std::size_t bytes) : bytes_(bytes), mapped_bytes_(round_up_to_pages(bytes)) {
  // Shared memory without a file: no limit on files or descriptors applies to it.
  void* alias = mmap(nullptr, mapped_bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  // An old size of 0 maps the same pages a second time.
  void* addresses = alias == MAP_FAILED ? MAP_FAILED : mremap(alias, 0, mapped_bytes_, MREMAP_MAYMOVE);
  if (addresses == MAP_FAILED || mprotect(addresses, mapped_bytes_, PROT_NONE) != 0) {
    const int error = errno;
    if (addresses != MAP_FAILED) munmap(addresses, mapped_bytes_);
    if (alias != MAP_FAILED) munmap(alias, mapped_bytes_);
    throw ConfigurationError(fmt::format(
        "[virtual GPUs] cannot reserve {} bytes of address space for the memory of cuda:{}: {}. Ask for less memory or "
        "fewer devices, for example D2L_VIRTUAL_GPUS=2:512MiB",
        bytes, device, std::strerror(error)));
  }
  alias_ = static_cast<std::byte*>(alias);
  device_ = static_cast<std::byte*>(addresses);
  slot_ = guard_addresses(device, device_, mapped_bytes_);
}

Arena::~Arena() {
  unguard_addresses(slot_);
  munmap(device_, mapped_bytes_);
  munmap(alias_, mapped_bytes_);
}

}  // namespace d2l::backend
