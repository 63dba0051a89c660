// SPDX-License-Identifier: MIT
#include "counts/requests.h"

#include <algorithm>

namespace d2l::emulator {
namespace {

constexpr std::uint32_t sector_bytes = 32;
constexpr unsigned banks = 32;

/// True if each lane's address is `step` bytes after that of the lane before.
bool is_regular(const std::array<std::uint32_t, max_lanes>& addresses, std::uint32_t step) {
  std::uint32_t differences = 0;
  for (std::uint32_t lane = 0; lane < warp_size(); ++lane) {
    differences |= addresses[lane] ^ (addresses[0] + lane * step);
  }
  return differences == 0;
}

/// The number of different values; the array is sorted.
template <std::size_t Most>
unsigned count_different(std::array<std::uint32_t, Most>& values, unsigned count) {
  std::sort(values.begin(), values.begin() + count);
  return static_cast<unsigned>(std::unique(values.begin(), values.begin() + count) - values.begin());
}

/// Passes for lanes that are served at once, when their words are in different banks or the same: 1. Else 0.
unsigned pass_without_conflicts(const RequestedAddresses& request, LaneBits lanes, unsigned words) {
  std::array<std::uint32_t, banks> in_bank;
  std::uint32_t used = 0;
  bool conflict = false;
  for_each_lane(lanes, [&](unsigned lane) {
    for (unsigned i = 0; i < words; ++i) {
      const std::uint32_t word = request.by_lane[lane] / 4 + i;
      const unsigned bank = word % banks;
      conflict = conflict || ((used >> bank & 1U) != 0 && in_bank[bank] != word);
      in_bank[bank] = word;
      used |= 1U << bank;
    }
  });
  return conflict ? 0 : 1;
}

/// True if 32 lanes access one word each, and no two different words are in one bank.
bool is_one_pass(const std::uint32_t* addresses) {
  std::array<std::uint32_t, banks> in_bank{};  // 0: none; no word has the address 0
  std::uint32_t conflicts = 0;
  for (unsigned lane = 0; lane < banks; ++lane) {
    const std::uint32_t word = addresses[lane] / 4;
    std::uint32_t& known = in_bank[word % banks];
    conflicts |= known == 0 ? 0 : known ^ word;
    known = word;
  }
  return conflicts == 0;
}

unsigned passes_with_conflicts(const RequestedAddresses& request, LaneBits lanes, unsigned words) {
  std::array<std::uint32_t, std::size_t{banks} * 4> all;  // at most 32 lanes are served at once
  unsigned count = 0;
  for_each_lane(lanes, [&](unsigned lane) {
    for (unsigned i = 0; i < words; ++i) all[count++] = request.by_lane[lane] / 4 + i;
  });
  count = count_different(all, count);
  std::array<unsigned, banks> in_bank{};
  unsigned most = 0;
  for (unsigned i = 0; i < count; ++i) most = std::max(most, ++in_bank[all[i] % banks]);
  return most;
}

}  // namespace

unsigned count_sectors(const RequestedAddresses& request) {
  const std::uint32_t bytes = request.bytes;
  const auto first_sector = [](std::uint32_t address) { return address / sector_bytes; };
  const auto last_sector = [bytes](std::uint32_t address) { return (address + bytes - 1) / sector_bytes; };
  if (request.lanes == all_lanes()) {
    const std::uint32_t begin = request.by_lane[0];
    for (const std::uint32_t step : {bytes, 0U}) {
      if (!is_regular(request.by_lane, step)) continue;
      return static_cast<unsigned>(last_sector(begin + (warp_size() - 1) * step) - first_sector(begin) + 1);
    }
  }
  std::array<std::uint32_t, std::size_t{max_lanes} * 2> touched;
  unsigned count = 0;
  for_each_lane(request.lanes, [&](unsigned lane) {
    const std::uint32_t address = request.by_lane[lane];
    touched[count++] = first_sector(address);
    if (last_sector(address) != first_sector(address)) touched[count++] = last_sector(address);
  });
  return count_different(touched, count);
}

unsigned count_bytes(const RequestedAddresses& request) {
  if (request.lanes == all_lanes()) {
    if (is_regular(request.by_lane, request.bytes)) return warp_size() * request.bytes;
    if (is_regular(request.by_lane, 0)) return request.bytes;
  }
  std::array<std::uint32_t, max_lanes> asked;  // addresses of one size, so those that differ do not overlap
  unsigned count = 0;
  for_each_lane(request.lanes, [&](unsigned lane) { asked[count++] = request.by_lane[lane]; });
  return count_different(asked, count) * request.bytes;
}

unsigned count_passes(const RequestedAddresses& request) {
  const auto words = static_cast<unsigned>(std::max(1U, request.bytes / 4));
  const unsigned together = banks / words;  // lanes: 32 of 4 bytes, 16 of 8, 8 of 16
  const LaneBits first_part = all_lanes() >> (warp_size() - together);
  unsigned passes = 0;
  for (unsigned begin = 0; begin < warp_size(); begin += together) {
    const LaneBits part = first_part << begin;
    const LaneBits lanes = request.lanes & part;
    if (lanes == 0) continue;
    if (words == 1 && lanes == part && is_one_pass(&request.by_lane[begin])) {
      ++passes;
      continue;
    }
    const unsigned one = pass_without_conflicts(request, lanes, words);
    passes += one != 0 ? one : passes_with_conflicts(request, lanes, words);
  }
  return passes;
}

}  // namespace d2l::emulator
