// SPDX-License-Identifier: MIT
#include "arguments/host_objects.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "arguments/parameter_names.h"
#include "d2l_emulator/launches/arguments.h"
#include "execution/current.h"
#include "runtime/memory.h"

namespace d2l::emulator {
namespace {

/// Addresses that stand for objects of the host. They are reserved and never accessible.
struct Unreachable {
  std::byte* begin = nullptr;
  std::size_t bytes = 0;
  std::atomic<std::size_t> next{0};

  Unreachable() {
    for (bytes = std::size_t{1} << 30; bytes >= std::size_t{1} << 20; bytes /= 32) {
      void* const memory = ::mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (memory == MAP_FAILED) continue;
      begin = static_cast<std::byte*>(memory);
      return;
    }
    bytes = 0;
  }
};
Unreachable& unreachable() {
  static auto* const made = new Unreachable;
  return *made;
}

bool is_of_host(const void* object) {
  if (const auto known = allocations().find(object)) return known->kind == MemoryKind::symbol && !known->managed;
  return contents_of(object) == object && !allocations().in_device_memory(object);
}

}  // namespace

const void* address_for_kernels(const void* object, std::size_t bytes, std::size_t alignment) {
  const OwnCode own;
  if (in_kernel() || !is_of_host(object)) return object;
  Unreachable& range = unreachable();
  const std::size_t needed = (bytes + 2 * alignment) / alignment * alignment;  // no two objects touch
  if (needed + alignment > range.bytes) return object;
  std::size_t at = range.next.fetch_add(needed + alignment) % range.bytes;
  if (at + needed + alignment > range.bytes) at = 0;
  return range.begin + (at + alignment - 1) / alignment * alignment;
}

bool is_unreachable(const void* address) noexcept {
  const Unreachable& range = unreachable();
  return reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(range.begin) < range.bytes;
}

std::string host_object_text(const KernelLaunch& launch, const void* address) {
  for (const PointerArgument& pointer : launch.pointers) {
    const std::size_t offset =
        reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(pointer.address);
    if (!pointer.reference || offset >= pointer.element || !is_unreachable(address)) continue;
    const std::string name = parameter_name(launch.name, pointer.number);
    return fmt::format(
        "the parameter {} is a reference, so the kernel has the address of an object of the host: pass it by value, or "
        "a pointer to a copy on the device, or take it from cudaMallocManaged",
        name.empty() ? std::to_string(pointer.number + 1) : name);
  }
  return "";
}

}  // namespace d2l::emulator
