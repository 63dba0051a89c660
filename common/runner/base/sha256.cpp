// SPDX-License-Identifier: MIT
// SHA-256 as FIPS 180-4 has it.
#include "base/sha256.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace d2l::runner {
namespace {

using Word = std::uint32_t;

/// The first 32 bits of the fraction of `root`.
Word fraction_bits(long double root) { return static_cast<Word>((root - std::floor(root)) * 4294967296.0L); }

struct Constants {
  std::array<Word, 8> start{};
  std::array<Word, 64> round{};

  Constants() {
    std::size_t count = 0;
    for (int candidate = 2; count < round.size(); ++candidate) {
      bool prime = true;
      for (int divisor = 2; divisor * divisor <= candidate; ++divisor) prime = prime && candidate % divisor != 0;
      if (!prime) continue;
      const auto number = static_cast<long double>(candidate);
      if (count < start.size()) start[count] = fraction_bits(std::sqrt(number));
      round[count++] = fraction_bits(std::cbrt(number));
    }
  }
};

Word spread(Word word, int first, int second, int third) {
  return std::rotr(word, first) ^ std::rotr(word, second) ^ std::rotr(word, third);
}

void add_block(std::array<Word, 8>& state, const char* bytes, const Constants& constants) {
  std::array<Word, 64> words{};
  for (std::size_t i = 0; i < 64; ++i) words[i / 4] = (words[i / 4] << 8) | static_cast<unsigned char>(bytes[i]);
  for (std::size_t i = 16; i < words.size(); ++i) {
    const Word early = std::rotr(words[i - 15], 7) ^ std::rotr(words[i - 15], 18) ^ (words[i - 15] >> 3);
    const Word late = std::rotr(words[i - 2], 17) ^ std::rotr(words[i - 2], 19) ^ (words[i - 2] >> 10);
    words[i] = words[i - 16] + early + words[i - 7] + late;
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const Word one = h + spread(e, 6, 11, 25) + ((e & f) ^ (~e & g)) + constants.round[i] + words[i];
    const Word two = spread(a, 2, 13, 22) + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + one;
    d = c;
    c = b;
    b = a;
    a = one + two;
  }
  const std::array<Word, 8> result{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < state.size(); ++i) state[i] += result[i];
}

}  // namespace

std::string sha256(std::string_view bytes) {
  static const Constants constants;
  std::array<Word, 8> state = constants.start;
  std::size_t at = 0;
  for (; at + 64 <= bytes.size(); at += 64) add_block(state, bytes.data() + at, constants);
  std::string last(bytes.substr(at));
  last += '\x80';
  while (last.size() % 64 != 56) last += '\0';
  for (int shift = 56; shift >= 0; shift -= 8) last += static_cast<char>((std::uint64_t{bytes.size()} * 8) >> shift);
  for (at = 0; at < last.size(); at += 64) add_block(state, last.data() + at, constants);
  std::string text;
  for (const Word word : state) {
    for (int shift = 28; shift >= 0; shift -= 4) text += "0123456789abcdef"[(word >> shift) & 15U];
  }
  return text;
}

}  // namespace d2l::runner
