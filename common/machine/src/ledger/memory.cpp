// SPDX-License-Identifier: MIT
#include "d2l/memory.h"

#include <fmt/format.h>

#include <array>

#include "base/units.h"
#include "d2l/error.h"
#include "ledger/memory_counts.h"
#include "runtime/runtime.h"

namespace d2l {

namespace detail {

MemoryCounts& memory_counts(int gpu) noexcept {
  static std::array<MemoryCounts, 128> counts;  // as many as Device has indices
  return counts[static_cast<std::size_t>(gpu)];
}

void count_allocation(int gpu, std::size_t bytes) noexcept {
  MemoryCounts& counts = memory_counts(gpu);
  const auto requested = static_cast<std::int64_t>(bytes);
  counts.allocated.add(allocated_bytes(requested, true));
  counts.requested.add(requested);
  counts.blocks.add(1);
}

void count_release(int gpu, std::size_t bytes) noexcept {
  MemoryCounts& counts = memory_counts(gpu);
  const auto requested = static_cast<std::int64_t>(bytes);
  counts.allocated.subtract(allocated_bytes(requested, true));
  counts.requested.subtract(requested);
  counts.blocks.subtract(1);
}

}  // namespace detail

namespace cuda {

namespace {

/// The counts of an existing GPU.
detail::MemoryCounts& counts_of(Device device, const char* operation) {
  if (device.is_cpu()) {
    throw ValueError(fmt::format(
        "[{}] Expected a cuda device, but got: cpu. Name a GPU, such as gpu(0); memory_info(cpu()) has the memory of "
        "the CPU",
        operation));
  }
  static_cast<void>(detail::backend_of(device));
  return detail::memory_counts(device.index());
}

void insert(std::map<std::string, std::int64_t>& stats, const std::string& name, const detail::PeakCount& count) {
  const std::int64_t current = count.current();
  const std::int64_t all = count.all();
  stats[name + ".all.current"] = current;
  stats[name + ".all.peak"] = count.peak();
  stats[name + ".all.allocated"] = all;
  stats[name + ".all.freed"] = all - current;
}

}  // namespace

std::int64_t memory_allocated(Device device) { return counts_of(device, "memory_allocated").allocated.current(); }
std::int64_t max_memory_allocated(Device device) { return counts_of(device, "max_memory_allocated").allocated.peak(); }

std::int64_t memory_reserved(Device device) {
  static_cast<void>(counts_of(device, "memory_reserved"));
  return memory_info(device).reserved;
}

std::int64_t max_memory_reserved(Device device) {
  static_cast<void>(counts_of(device, "max_memory_reserved"));
  return detail::gpu_backend().max_reserved(device.index());
}

void reset_peak_memory_stats(Device device) {
  detail::MemoryCounts& counts = counts_of(device, "reset_peak_memory_stats");
  counts.allocated.reset_peak();
  counts.requested.reset_peak();
  counts.blocks.reset_peak();
  detail::backend_of(device).reset_max_reserved(device.index());
}

std::map<std::string, std::int64_t> memory_stats(Device device) {
  const detail::MemoryCounts& counts = counts_of(device, "memory_stats");
  std::map<std::string, std::int64_t> stats;
  insert(stats, "allocated_bytes", counts.allocated);
  insert(stats, "requested_bytes", counts.requested);
  insert(stats, "allocation", counts.blocks);
  stats["reserved_bytes.all.current"] = memory_reserved(device);
  stats["reserved_bytes.all.peak"] = max_memory_reserved(device);
  return stats;
}

void empty_cache() {
  for (int index = 0; index < num_gpus(); ++index) detail::gpu_backend().empty_cache(index);
}

std::pair<std::int64_t, std::int64_t> mem_get_info(Device device) {
  static_cast<void>(counts_of(device, "mem_get_info"));
  const MemoryInfo info = memory_info(device);
  return {info.total - info.used, info.total};
}

std::string memory_summary(Device device) {
  const auto stats = memory_stats(device);
  std::string text = fmt::format("memory of {}       {:>12} {:>12} {:>12} {:>12}\n", device.str(), "current", "peak",
                                 "allocated", "freed");
  const auto line = [&](const char* label, const std::string& name, bool in_bytes) {
    text += fmt::format("{:<22}", label);
    for (const char* column : {".all.current", ".all.peak", ".all.allocated", ".all.freed"}) {
      const auto found = stats.find(name + column);
      if (found == stats.end()) continue;
      text += fmt::format(" {:>12}", in_bytes ? detail::bytes_text(static_cast<std::size_t>(found->second))
                                              : std::to_string(found->second));
    }
    text += "\n";
  };
  line("allocated memory", "allocated_bytes", true);
  line("requested memory", "requested_bytes", true);
  line("reserved by the pool", "reserved_bytes", true);
  line("blocks", "allocation", false);
  return text;
}

}  // namespace cuda

}  // namespace d2l
