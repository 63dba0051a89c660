// SPDX-License-Identifier: MIT
// The limits of multiprocessors, and how many blocks they allow.
#include "d2l/occupancy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "d2l/error.h"

namespace d2l {
namespace {

constexpr unsigned warp = 32;
constexpr unsigned max_threads = 1024;
constexpr unsigned max_registers = 255;
constexpr unsigned register_unit = 256;
constexpr unsigned parts = 4;
constexpr std::size_t kib = 1024;

using Named = std::pair<std::string_view, MultiprocessorLimits>;
constexpr std::array table{
    Named{"V100", {"7.0", 2048, 32, 65536, 96 * kib, 96 * kib, 0, 256}},
    Named{"T4", {"7.5", 1024, 16, 65536, 64 * kib, 64 * kib, 0, 256}},
    Named{"A100", {"8.0", 2048, 32, 65536, 164 * kib, 163 * kib, kib, 128}},
    Named{"RTX 4060 Laptop", {"8.9", 1536, 24, 65536, 100 * kib, 99 * kib, kib, 128}},
    Named{"H200", {"9.0", 2048, 32, 65536, 228 * kib, 227 * kib, kib, 128}},
};

template <class T>
T rounded_up(T value, T unit) {
  return (value + unit - 1) / unit * unit;
}

unsigned blocks_by_registers(const MultiprocessorLimits& limits, unsigned warps, unsigned registers) {
  if (registers == 0) return limits.blocks;
  const unsigned of_warp = rounded_up(registers * warp, register_unit);
  if (of_warp * rounded_up(warps, parts) > limits.registers) return 0;
  return limits.registers / parts / of_warp * parts / warps;
}

unsigned blocks_by_shared_memory(const MultiprocessorLimits& limits, std::size_t bytes) {
  if (bytes > limits.shared_memory_of_block) return 0;
  const std::size_t of_block = rounded_up(bytes + limits.reserved, limits.shared_unit);
  return of_block == 0 ? limits.blocks : static_cast<unsigned>(limits.shared_memory / of_block);
}

}  // namespace

const MultiprocessorLimits& multiprocessor_limits(std::string_view card) {
  std::string names;
  for (const auto& [name, limits] : table) {
    if (card == name || card == limits.compute_capability) return limits;
    names += fmt::format("{}\"{}\" (\"{}\")", names.empty() ? "" : ", ", name, limits.compute_capability);
  }
  throw ValueError(fmt::format(
      "[multiprocessor_limits] there is no card or compute capability \"{}\". Use one of {}, or fill in the limits",
      card, names));
}

Occupancy occupancy(const MultiprocessorLimits& limits, unsigned threads, unsigned registers,
                    std::size_t shared_bytes) {
  if (threads < 1 || threads > max_threads) {
    throw ValueError(fmt::format("[occupancy] a block has 1 to {} threads, not {}", max_threads, threads));
  }
  if (registers > max_registers) {
    throw ValueError(
        fmt::format("[occupancy] a thread has at most {} registers, not {}. The compiler keeps other "
                    "values in local memory",
                    max_registers, registers));
  }
  const unsigned warps = (threads + warp - 1) / warp;
  Occupancy found;
  found.by_blocks = limits.blocks;
  found.by_threads = limits.threads / (warps * warp);
  found.by_registers = blocks_by_registers(limits, warps, registers);
  found.by_shared_memory = blocks_by_shared_memory(limits, shared_bytes);
  found.blocks = std::min({found.by_blocks, found.by_threads, found.by_registers, found.by_shared_memory});
  found.warps = found.blocks * warps;
  found.share = static_cast<double>(found.warps * warp) / limits.threads;
  return found;
}

}  // namespace d2l
