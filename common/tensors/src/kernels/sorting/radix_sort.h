// SPDX-License-Identifier: MIT
// A stable radix sort of keys with their positions, on one thread of a host.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace d2l::backend::kernels {

/// A key with its position in the row. Records are ordered by the key, then by the position, so that no two are equal.
template <class Key>
struct SortRecord;

/// Both in one integer: rows have fewer than 2^32 elements.
template <>
struct SortRecord<std::uint32_t> {
  std::uint64_t both;

  SortRecord() = default;
  SortRecord(std::uint32_t key, std::int64_t position)
      : both(std::uint64_t{key} << 32 | static_cast<std::uint64_t>(position)) {}
  [[nodiscard]] std::uint32_t key() const { return static_cast<std::uint32_t>(both >> 32); }
  [[nodiscard]] std::int64_t position() const { return static_cast<std::int64_t>(both & 0xFFFFFFFFU); }
  friend bool operator<(SortRecord a, SortRecord b) { return a.both < b.both; }
};

template <>
struct SortRecord<std::uint64_t> {
  std::uint64_t sort_key;
  std::int64_t place;

  SortRecord() = default;
  SortRecord(std::uint64_t key, std::int64_t position) : sort_key(key), place(position) {}
  [[nodiscard]] std::uint64_t key() const { return sort_key; }
  [[nodiscard]] std::int64_t position() const { return place; }
  friend bool operator<(const SortRecord& a, const SortRecord& b) {
    return a.sort_key != b.sort_key ? a.sort_key < b.sort_key : a.place < b.place;
  }
};

/// Fewer records are sorted by comparisons: the counts of a radix sort would cost more.
inline constexpr std::int64_t shortest_radix_row = 512;

/// Sorts `count` records, whose keys have `bits` bits, by one digit of eight bits after the other; `spare` has room for
/// as many. Returns which of the two has the result.
template <class Key>
SortRecord<Key>* radix_sort(SortRecord<Key>* records, SortRecord<Key>* spare, std::int64_t count, int bits) {
  if (count < shortest_radix_row) {
    std::sort(records, records + count);
    return records;
  }
  constexpr int digit_bits = 8;
  constexpr std::size_t values = std::size_t{1} << digit_bits;
  constexpr std::size_t max_digits = sizeof(Key);
  const auto digits = static_cast<std::size_t>((bits + digit_bits - 1) / digit_bits);
  const auto digit_of = [](Key key, std::size_t digit) {
    return static_cast<std::size_t>(key >> (digit * digit_bits)) % values;
  };
  std::array<std::array<std::int64_t, values>, max_digits> counts{};
  for (std::int64_t i = 0; i < count; ++i) {
    const Key key = records[i].key();
    for (std::size_t digit = 0; digit < digits; ++digit) ++counts[digit][digit_of(key, digit)];
  }
  for (std::size_t digit = 0; digit < digits; ++digit) {
    auto& places = counts[digit];
    if (places[digit_of(records[0].key(), digit)] == count) continue;  // all have the same digit
    std::int64_t next = 0;
    for (auto& place : places) next += std::exchange(place, next);
    for (std::int64_t i = 0; i < count; ++i) spare[places[digit_of(records[i].key(), digit)]++] = records[i];
    std::swap(records, spare);
  }
  return records;
}

}  // namespace d2l::backend::kernels
