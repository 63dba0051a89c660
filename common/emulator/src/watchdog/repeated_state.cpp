// SPDX-License-Identifier: MIT
#include "watchdog/repeated_state.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "execution/worker.h"

namespace d2l::emulator::watchdog {
namespace {

constexpr std::size_t max_bytes = std::size_t{256} << 20;  // more take too long to read

/// A checksum of 64 bits with four lanes, so that it reads as fast as memory is.
class Checksum {
 public:
  void add(const void* memory, std::size_t bytes) noexcept {
    const auto* at = static_cast<const unsigned char*>(memory);
    for (; bytes >= sizeof lanes_; at += sizeof lanes_, bytes -= sizeof lanes_) {
      for (std::size_t i = 0; i < 4; ++i) mix(i, at + 8 * i, 8);
    }
    for (; bytes > 0; at += std::min<std::size_t>(bytes, 8), bytes -= std::min<std::size_t>(bytes, 8)) {
      mix(0, at, std::min<std::size_t>(bytes, 8));
    }
  }
  template <class T>
  void add_value(const T& value) noexcept {
    add(&value, sizeof value);
  }
  [[nodiscard]] std::uint64_t value() const noexcept {
    std::uint64_t all = 0;
    for (const std::uint64_t lane : lanes_) all = std::rotl(all, 17) * factor ^ lane;
    return all;
  }

 private:
  static constexpr std::uint64_t factor = 0x9e37'79b9'7f4a'7c15;
  void mix(std::size_t lane, const unsigned char* from, std::size_t bytes) noexcept {
    std::uint64_t word = 0;
    std::memcpy(&word, from, bytes);
    lanes_[lane] = std::rotl((lanes_[lane] ^ word) * factor, 29);
  }
  std::uint64_t lanes_[4] = {1, 2, 3, 4};
};

#if !defined(D2L_FIBERS_BY_UCONTEXT) && !defined(D2L_FIBERS_UNDER_ASAN) && !defined(D2L_FIBERS_UNDER_TSAN)
/// False if it cannot be read, because there is too much of it.
bool add_memory(Checksum& sum, const Worker& worker) {
  std::size_t bytes = 0;
  bool all = true;
  worker.allocations->for_each_live([&](const Allocation& range) {
    const std::vector<int>& devices = worker.launch->devices;
    const bool other_device = range.kind == MemoryKind::device && !devices.empty() &&
                              std::find(devices.begin(), devices.end(), range.device) == devices.end();
    bytes += other_device ? 0 : range.bytes;
    all = all && bytes <= max_bytes;
    if (all && !other_device) sum.add(range.begin, range.bytes);
  });
  return all;
}

void add_stack(Checksum& sum, const Fiber& fiber) {
  const auto* const top = static_cast<const std::byte*>(fiber.context.stack_pointer);
  const auto* const end = static_cast<const std::byte*>(fiber.context.stack_low) + fiber.context.stack_bytes;
  sum.add(top, static_cast<std::size_t>(end - top));
}

void add_block(Checksum& sum, const Worker& worker, const Block& block) {
  sum.add_value(block.number);
  sum.add_value(block.ended);
  sum.add_value(block.barrier_sum);
  for (const Thread& thread : block.threads) {
    if (!thread.started || thread.ended) continue;
    sum.add_value(thread.number);
    sum.add_value(thread.wait);
    sum.add_value(thread.bits);
    sum.add_value(thread.atomics % 64);  // tells when it lets others run
    add_stack(sum, *thread.fiber);
  }
  for (const Fiber* const waiting : block.yielded) sum.add_value(waiting->number);
  if (&block == worker.block) {
    for (const SharedRange& range : block.shared) sum.add(range.begin, range.bytes);
  } else {
    for (const auto& range : block.saved_shared) sum.add(range.data(), range.size());
  }
}
#endif

/// The checksum of what decides how the kernel goes on; none if something is not known.
std::optional<std::uint64_t> state_of(const Worker& worker, const Block* const* blocks, std::size_t count) {
#if !defined(D2L_FIBERS_BY_UCONTEXT) && !defined(D2L_FIBERS_UNDER_ASAN) && !defined(D2L_FIBERS_UNDER_TSAN)
  Checksum sum;
  for (std::size_t i = 0; i < count; ++i) {
    if (!blocks[i]->seen) return {};
    add_block(sum, worker, *blocks[i]);
  }
  if (!add_memory(sum, worker)) return {};
  return sum.value();
#else
  static_cast<void>(worker), static_cast<void>(blocks), static_cast<void>(count);
  return {};
#endif
}

}  // namespace

bool RepeatedState::repeats(const Worker& worker, const Block* const* blocks, std::size_t count) {
  const auto state = state_of(worker, blocks, count);
  if (!state) return false;
  if (kept_ == state) return true;
  if (std::has_single_bit(++visits_)) kept_ = state;
  return false;
}

}  // namespace d2l::emulator::watchdog
