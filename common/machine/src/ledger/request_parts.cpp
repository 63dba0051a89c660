// SPDX-License-Identifier: MIT
#include "ledger/request_parts.h"

#include <fmt/format.h>

#include <algorithm>

namespace d2l::detail {
namespace {

void add_word(std::vector<Word>& words, std::int64_t number, unsigned lane) {
  const auto known = std::find_if(words.begin(), words.end(), [&](const Word& word) { return word.number == number; });
  if (known == words.end()) {
    words.push_back({number, std::uint64_t{1} << lane});
  } else {
    known->lanes |= std::uint64_t{1} << lane;
  }
}

}  // namespace

std::map<std::int64_t, Sector> sectors_of(const WarpRequest& request) {
  std::map<std::int64_t, Sector> sectors;
  for_each_lane_of(request, [&](unsigned lane) {
    for (std::int64_t i = 0; i < std::int64_t{request.bytes}; ++i) {
      const std::int64_t byte = request.offsets.at(lane) + request.begin + i;
      const std::int64_t number = quotient(byte, sector_bytes);
      Sector& sector = sectors[number];
      sector.used |= 1U << static_cast<unsigned>(byte - number * sector_bytes);
      sector.lanes |= std::uint64_t{1} << lane;
    }
  });
  return sectors;
}

std::vector<ServedPart> served_parts(const WarpRequest& request) {
  const auto words = static_cast<unsigned>(std::max<std::int64_t>(1, request.bytes / word_bytes));
  const unsigned together = banks / words;
  std::vector<ServedPart> parts(request.warp_size / together);
  for (ServedPart& part : parts) part.by_bank.resize(banks);
  for_each_lane_of(request, [&](unsigned lane) {
    for (unsigned i = 0; i < words; ++i) {
      const std::int64_t number = quotient(request.offsets.at(lane), word_bytes) + i;
      const auto bank = static_cast<std::size_t>(number - quotient(number, banks) * banks);
      add_word(parts.at(lane / together).by_bank.at(bank), number, lane);
    }
  });
  for (ServedPart& part : parts) {
    for (const auto& bank : part.by_bank) part.passes = std::max(part.passes, static_cast<unsigned>(bank.size()));
  }
  std::erase_if(parts, [](const ServedPart& part) { return part.passes == 0; });
  return parts;
}

std::string lanes_text(std::uint64_t lanes) {
  const auto count = static_cast<unsigned>(std::popcount(lanes));
  const auto first = static_cast<unsigned>(std::countr_zero(lanes));
  if (count == 1) return fmt::format("lane {}", first);
  if (lanes >> first == ~std::uint64_t{0} >> (64 - count))
    return fmt::format("lanes {} to {}", first, first + count - 1);
  std::string text;
  unsigned named = 0;
  for (std::uint64_t left = lanes; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    if (named++ == 4) return text + fmt::format(" and {} more", count - 4);
    text += fmt::format("{}{}", text.empty() ? "lanes " : ", ", lane);
  }
  return text;
}

}  // namespace d2l::detail
