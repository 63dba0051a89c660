// SPDX-License-Identifier: MIT
#include "backend/virtual_gpu/virtual_gpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <variant>

#include "backend/cpu/host_context.h"
#include "base/units.h"
#include "d2l/error.h"
#include "values/gpu_type.h"

namespace d2l::backend {
namespace {

using detail::bytes_text;

/// The memory that a driver reserves on a device for a process. It counts as used, but does not reduce what tensors can
/// allocate.
constexpr std::size_t context_share = std::size_t{8} << 20;

/// Uninitialised memory: nan as float32 and float64, 2147147437 as int32, and no byte is zero.
constexpr std::uint32_t fresh_pattern = 0x7FFADEAD;

/// Of fresh memory that the caller fills, only what is below this offset: the rest is zero, and takes no memory of the
/// machine before it is used.
constexpr std::size_t filled_by_callers = std::size_t{1} << 30;

/// While kernels are checked, a gap follows the memory of each tensor, so that an access beyond its end meets no other
/// one.
std::size_t gap_after_blocks() {
  constexpr std::size_t gap = 4096;
  const char* const checked = std::getenv("D2L_CHECK_KERNELS");
  return checked == nullptr || *checked == '\0' || std::strcmp(checked, "0") == 0 ? 0 : gap;
}

}  // namespace

VirtualGpu* VirtualGpu::owner(const All& gpus, const void* address) {
  const auto found = std::ranges::find_if(gpus, [&](const auto& gpu) { return gpu->arena_.contains(address); });
  return found == gpus.end() ? nullptr : found->get();
}

VirtualGpu::VirtualGpu(int number, std::int64_t memory, const All& gpus)
    : number_(number),
      gpus_(gpus),
      arena_(number, static_cast<std::size_t>(memory)),
      pool_(arena_.bytes(), gap_after_blocks()),
      queue_(new_queue(0)) {}

std::shared_ptr<WorkQueue> VirtualGpu::new_queue(int number) {
  auto self = std::make_shared<WorkQueue*>(nullptr);
  auto queue = std::make_shared<WorkQueue>(
      number_, [this, self](Work& work) { std::visit([&](auto& what) { perform(what, **self); }, work.what); }, number);
  *self = queue.get();
  return queue;
}

std::shared_ptr<WorkQueue> VirtualGpu::make_queue() {
  const std::lock_guard lock(more_mutex_);
  auto queue = new_queue(++queues_made_);
  for (const auto holder : holders_) queue->hold(holder);
  // In the place of one that is gone: wait() may be on its way through the list.
  const auto place = std::ranges::find_if(more_queues_, [](const auto& one) { return one.expired(); });
  place == more_queues_.end() ? more_queues_.push_back(queue) : static_cast<void>(*place = queue);
  return queue;
}

template <class Act>
void VirtualGpu::for_each_queue(const Act& act) noexcept {
  act(*queue_);
  const std::lock_guard lock(more_mutex_);
  for_each_further_queue(act);
}

template <class Act>
void VirtualGpu::for_each_further_queue(const Act& act) {
  for (const auto& one : more_queues_) {
    if (const auto queue = one.lock()) act(*queue);
  }
}

void VirtualGpu::wait() {
  // Without a list of the queues: this also waits after a failed allocation.
  for (std::size_t i = 0;; ++i) {
    std::shared_ptr<WorkQueue> queue;
    {
      const std::lock_guard lock(more_mutex_);
      if (i == more_queues_.size()) break;
      queue = more_queues_[i].lock();
    }
    if (queue != nullptr) queue->wait_from_host(queue->issued());
  }
  // The tensors' queue last: a kernel that fails in another one makes it unusable.
  queue_->wait_from_host(queue_->issued());
  ++waits_;
}

void VirtualGpu::hold() {
  const std::lock_guard lock(more_mutex_);
  holders_.push_back(std::this_thread::get_id());
  queue_->hold();
  for_each_further_queue([](WorkQueue& queue) { queue.hold(); });
}
void VirtualGpu::release_hold() {
  const std::lock_guard lock(more_mutex_);
  const auto mine = std::ranges::find(holders_, std::this_thread::get_id());
  if (!holders_.empty()) holders_.erase(mine != holders_.end() ? mine : holders_.begin());
  queue_->release();
  for_each_further_queue([](WorkQueue& queue) { queue.release(); });
}

void VirtualGpu::request_stop(const char* why) noexcept {
  for_each_queue([&](WorkQueue& queue) { queue.request_stop(why); });
}
void VirtualGpu::join() {
  for_each_queue([](WorkQueue& queue) { queue.join(); });
}
void VirtualGpu::rest() noexcept {
  for_each_queue([](WorkQueue& queue) { queue.rest(); });
}

DeviceProperties VirtualGpu::properties() const {
  return {.name = fmt::format("Virtual GPU {} (host memory, 1 core)", number_),
          .kind = DeviceKind::virtual_gpu_on_host,
          .total_memory = static_cast<std::int64_t>(arena_.bytes()),
          .multiprocessors = 1,
          .bus_id = {}};
}

MemoryInfo VirtualGpu::memory() {
  const auto usage = pool_.usage();
  return {.total = static_cast<std::int64_t>(arena_.bytes()),
          .free = static_cast<std::int64_t>(usage.free),
          .used = static_cast<std::int64_t>(std::min(usage.reserved + context_share, arena_.bytes())),
          .reserved = static_cast<std::int64_t>(usage.reserved),
          .requested = static_cast<std::int64_t>(usage.requested),
          .blocks = static_cast<std::int64_t>(usage.blocks)};
}

void* VirtualGpu::allocate(std::size_t bytes, Fill fill) {
  const auto block = pool_.allocate(bytes);
  if (!block) {
    const auto usage = pool_.usage();
    throw OutOfMemoryError(fmt::format(
        "[allocate] CUDA out of memory. Tried to allocate {} (GPU {}; {} total capacity; {} already allocated; {} "
        "free; {} in the largest free block) on {}. No tensor was lost. Release tensors that are not needed, "
        "make smaller ones, or give the virtual GPUs more memory, for example D2L_VIRTUAL_GPUS=2:4GiB",
        bytes_text(bytes), number_, bytes_text(arena_.bytes()), bytes_text(usage.allocated), bytes_text(usage.free),
        bytes_text(usage.largest), detail::gpu_number(number_).str()));
  }
  if (block->fresh_end > block->fresh_begin) {
    arena_.use_up_to(block->fresh_end);
    void* const fresh = arena_.device_address(block->fresh_begin);
    const std::size_t fresh_bytes = block->fresh_end - block->fresh_begin;
    try {
      if (fill == Fill::caller && block->fresh_begin < filled_by_callers) {
        fill_fresh(fresh, std::min(block->fresh_end, filled_by_callers) - block->fresh_begin);
      }
      if (fill == Fill::queue) queue_->push(FreshMemoryWork{fresh, fresh_bytes});
    } catch (...) {
      pool_.release(block->offset, bytes);
      throw;
    }
  }
  return arena_.device_address(block->offset);
}

void VirtualGpu::release(void* address, std::size_t bytes) noexcept {
  if (in_forked_child()) return;  // the memory stays with the parent, and another thread may have held the pool
  if (arena_.contains(address)) pool_.release(arena_.offset_of(address), bytes);
}

std::optional<std::pair<void*, std::size_t>> VirtualGpu::block_at(const void* address) {
  if (!arena_.contains(address)) return std::nullopt;
  const auto block = pool_.block_at(arena_.offset_of(address));
  if (!block) return std::nullopt;
  return std::pair{arena_.device_address(block->first), block->second};
}

void VirtualGpu::perform(FaultWork& work, WorkQueue& /*queue*/) { throw FatalDeviceError(work.what); }
void VirtualGpu::perform(WaitWork& work, WorkQueue& queue) { work.queue->wait_from_queue(queue, work.sequence); }
void VirtualGpu::perform(CallWork& work, WorkQueue& /*queue*/) { work.call(); }

void VirtualGpu::fill_fresh(void* address, std::size_t bytes) const {
  auto* const words = static_cast<std::uint32_t*>(translate(number_, address, bytes, "fresh memory"));
  std::fill_n(words, bytes / sizeof(std::uint32_t), fresh_pattern);
}

void VirtualGpu::perform(FreshMemoryWork& work, WorkQueue& /*queue*/) { fill_fresh(work.address, work.bytes); }

void VirtualGpu::perform(CopyWork& work, WorkQueue& /*queue*/) const {
  void* const destination = translate(work.destination_side, work.destination, work.bytes, "a copy");
  const void* const source = work.staging.data() != nullptr
                                 ? work.staging.data()
                                 : translate(work.source_side, work.source, work.bytes, "a copy");
  std::memmove(destination, source, work.bytes);
}

void VirtualGpu::run(const NamedKernel& kernel, KernelArguments& arguments) const {
  for (int i = 0; i < arguments.operand_count; ++i) {
    auto& operand = arguments.operands[static_cast<std::size_t>(i)];
    if (operand.data == nullptr) continue;
    operand.data = translate(number_, operand.data, static_cast<std::size_t>(operand.extent), kernel.name);
  }
  kernel.run(host_context(1), arguments);
}

void VirtualGpu::perform(LaunchWork& work, WorkQueue& /*queue*/) const { run(work.kernel, work.arguments); }

void VirtualGpu::perform(GraphWork& work, WorkQueue& /*queue*/) const {
  const auto& launches = work.graph->launches();
  for (std::size_t i = 0; i < launches.size(); ++i) {
    Span* const span = i < work.spans.size() ? work.spans[i].get() : nullptr;
    KernelArguments arguments = launches[i].arguments;
    if (span != nullptr) span->began = steady_nanoseconds();
    run(launches[i].kernel, arguments);
    if (span != nullptr) span->ended = steady_nanoseconds();
  }
}

void* VirtualGpu::translate(int side, const void* address, std::size_t bytes, const char* doing) const {
  if (side == host_side) {
    if (owner(gpus_, address) == nullptr) return const_cast<void*>(address);
  } else if (const Arena& arena = gpus_[static_cast<std::size_t>(side)]->arena_; arena.in_use(address, bytes)) {
    return arena.alias(address);
  }
  const VirtualGpu* const gpu = owner(gpus_, address);
  const std::string expected = side == host_side ? "the host" : detail::gpu_number(side).str();
  const std::string found = gpu == nullptr ? "the host" : detail::gpu_number(gpu->number_).str();
  throw FatalDeviceError(fmt::format(
      "CUDA error: an illegal memory access was encountered: {} on {} was given {} ({} bytes) as memory of {}, "
      "{}. Pass a tensor on {}, for example from .to()",
      doing, detail::gpu_number(number_).str(), address, bytes, expected,
      found == expected ? "which ends before that, or was never allocated" : "but that address belongs to " + found,
      expected));
}

}  // namespace d2l::backend
