// SPDX-License-Identifier: MIT
// Arena: one anonymous file in memory, mapped twice.
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

/// A file without a name, in memory; the system deletes it when its last mapping ends.
class AnonymousFile : detail::NonCopyable {
 public:
  explicit AnonymousFile(std::size_t bytes) : descriptor_(memfd_create("virtual_gpu", MFD_CLOEXEC)) {
    if (descriptor_ >= 0 && ftruncate(descriptor_, static_cast<off_t>(bytes)) != 0) close_keeping_errno();
  }
  ~AnonymousFile() { close_keeping_errno(); }

  /// Maps the whole file; null if that fails.
  [[nodiscard]] std::byte* map(std::size_t bytes, int protection) const {
    if (descriptor_ < 0) return nullptr;
    void* const address = mmap(nullptr, bytes, protection, MAP_SHARED | MAP_NORESERVE, descriptor_, 0);
    return address == MAP_FAILED ? nullptr : static_cast<std::byte*>(address);
  }

 private:
  void close_keeping_errno() {
    const int error = errno;
    if (descriptor_ >= 0) close(descriptor_);
    descriptor_ = -1;
    errno = error;
  }

  int descriptor_;
};

std::size_t round_up_to_pages(std::size_t bytes) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return (bytes + page - 1) / page * page;
}

}  // namespace

Arena::Arena(int device, std::size_t bytes) : bytes_(bytes), mapped_bytes_(round_up_to_pages(bytes)) {
  const AnonymousFile file(mapped_bytes_);
  device_ = file.map(mapped_bytes_, PROT_NONE);
  if (device_ != nullptr) alias_ = file.map(mapped_bytes_, PROT_READ | PROT_WRITE);
  if (alias_ == nullptr) {
    const int error = errno;
    if (device_ != nullptr) munmap(device_, mapped_bytes_);
    throw ConfigurationError(fmt::format(
        "[virtual GPUs] cannot reserve {} bytes of address space for the memory of cuda:{}: {}. Ask for less memory or "
        "fewer devices, for example D2L_VIRTUAL_GPUS=2:512MiB",
        bytes, device, std::strerror(error)));
  }
  slot_ = guard_addresses(device, device_, mapped_bytes_);
}

Arena::~Arena() {
  unguard_addresses(slot_);
  munmap(device_, mapped_bytes_);
  munmap(alias_, mapped_bytes_);
}

}  // namespace d2l::backend
