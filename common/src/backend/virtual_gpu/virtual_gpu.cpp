// SPDX-License-Identifier: MIT
// VirtualGpu: its memory, and how it executes each kind of work.
#include "backend/virtual_gpu/virtual_gpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <variant>

#include "base/units.h"
#include "d2l/error.h"

namespace d2l::backend {
namespace {

/// The memory that a driver reserves on a device for a process. It counts as used, but does not reduce what tensors can
/// allocate.
constexpr std::size_t context_share = std::size_t{8} << 20;

/// Uninitialised memory: nan as float32 and float64, 2147147437 as int32, and no byte is zero.
constexpr std::uint32_t fresh_pattern = 0x7FFADEAD;

using detail::bytes_text;

void* host_scratch(const KernelContext& /*context*/, std::size_t bytes) {
  void* const memory = std::malloc(std::max<std::size_t>(bytes, 1));
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void release_host_scratch(const KernelContext& /*context*/, void* memory) { std::free(memory); }

constexpr KernelContext one_core{nullptr, nullptr, 1, host_scratch, release_host_scratch};

}  // namespace

VirtualGpu::VirtualGpu(int number, std::int64_t memory, const Neighbours& neighbours)
    : number_(number),
      neighbours_(neighbours),
      arena_(number, static_cast<std::size_t>(memory)),
      pool_(arena_.bytes()),
      queue_(std::make_shared<WorkQueue>(number, [this](Work& work) { perform(work); })) {}

DeviceProperties VirtualGpu::properties() const {
  DeviceProperties properties;
  properties.name = fmt::format("Virtual GPU {} (host memory, 1 core)", number_);
  properties.kind = DeviceKind::virtual_gpu_on_host;
  properties.total_memory = static_cast<std::int64_t>(arena_.bytes());
  properties.multiprocessors = 1;
  return properties;
}

MemoryInfo VirtualGpu::memory() {
  const auto usage = pool_.usage();
  MemoryInfo info;
  info.total = static_cast<std::int64_t>(arena_.bytes());
  info.free = static_cast<std::int64_t>(usage.free);
  info.used = static_cast<std::int64_t>(std::min(usage.reserved + context_share, arena_.bytes()));
  info.reserved = static_cast<std::int64_t>(usage.reserved);
  info.requested = static_cast<std::int64_t>(usage.requested);
  info.blocks = static_cast<std::int64_t>(usage.blocks);
  return info;
}

void* VirtualGpu::allocate(std::size_t bytes) {
  const auto block = pool_.allocate(bytes);
  if (!block) {
    const auto usage = pool_.usage();
    throw OutOfMemoryError(fmt::format(
        "[allocate] CUDA out of memory. Tried to allocate {} (GPU {}; {} total capacity; {} already allocated; {} "
        "free; {} in the largest free block) on cuda:{}. No tensor was lost. Release tensors that are not needed, make "
        "smaller ones, or give the virtual GPUs more memory, for example D2L_VIRTUAL_GPUS=2:4GiB",
        bytes_text(bytes), number_, bytes_text(arena_.bytes()), bytes_text(usage.allocated), bytes_text(usage.free),
        bytes_text(usage.largest), number_));
  }
  if (block->fresh_end > block->fresh_begin) {
    arena_.use_up_to(block->fresh_end);
    void* const fresh = arena_.device_address(block->fresh_begin);
    queue_->push(FreshMemoryWork{fresh, block->fresh_end - block->fresh_begin});
  }
  return arena_.device_address(block->offset);
}

void VirtualGpu::release(void* address, std::size_t bytes) {
  if (arena_.contains(address)) pool_.release(arena_.offset_of(address), bytes);
}

void VirtualGpu::perform(Work& work) {
  std::visit([this](auto& what) { perform(what); }, work.what);
}

void VirtualGpu::perform(FaultWork& work) { throw FatalDeviceError(work.what); }

void VirtualGpu::perform(WaitWork& work) { work.queue->wait_from_queue(*queue_, work.sequence); }

void VirtualGpu::perform(FreshMemoryWork& work) {
  auto* const words = static_cast<std::uint32_t*>(translate(number_, work.address, work.bytes, "fresh memory"));
  std::fill_n(words, work.bytes / sizeof(std::uint32_t), fresh_pattern);
}

void VirtualGpu::perform(CopyWork& work) {
  void* const destination = translate(work.destination_side, work.destination, work.bytes, "a copy");
  const void* const source = work.staging.data() != nullptr
                                 ? work.staging.data()
                                 : translate(work.source_side, work.source, work.bytes, "a copy");
  std::memmove(destination, source, work.bytes);
}

void VirtualGpu::perform(LaunchWork& work) {
  const auto name = info(work.operation).name;
  for (int i = 0; i < work.arguments.operand_count; ++i) {
    auto& operand = work.arguments.operands[static_cast<std::size_t>(i)];
    if (operand.data == nullptr) continue;
    operand.data = translate(number_, operand.data, static_cast<std::size_t>(operand.extent), name);
  }
  work.kernel(one_core, work.arguments);
}

void* VirtualGpu::translate(int side, const void* address, std::size_t bytes, const char* doing) const {
  if (side == host_side) {
    if (neighbours_.arena_of(address) == nullptr) return const_cast<void*>(address);
  } else if (const Arena& arena = neighbours_.arena(side); arena.in_use(address, bytes)) {
    return arena.alias(address);
  }
  const std::string expected = side == host_side ? "the host" : fmt::format("cuda:{}", side);
  const std::string found = neighbours_.owner_name(address);
  throw FatalDeviceError(fmt::format(
      "CUDA error: an illegal memory access was encountered: {} on cuda:{} was given {} ({} bytes) as memory of {}, "
      "{}. Pass a tensor on {}, for example from .to()",
      doing, number_, address, bytes, expected,
      found == expected ? "which ends before that, or was never allocated" : "but that address belongs to " + found,
      expected));
}

}  // namespace d2l::backend
