// SPDX-License-Identifier: MIT
// The size from which a card's matrix product is faster than its host's.
#include <fmt/format.h>

#include "cost_model/durations.h"
#include "cost_model/replay.h"
#include "d2l/error.h"

namespace d2l {

namespace {

constexpr std::int64_t largest = 16384;

LedgerEntry product(Device device, std::int64_t n, ScalarType dtype) {
  return {.kind = LedgerEntry::Kind::launch,
          .name = "matmul",
          .queue = device,
          .bytes = 3 * n * n * static_cast<std::int64_t>(elementSize(dtype)),
          .flops = 2 * n * n * n,
          .dtype = dtype,
          .outputs = n * n};
}

double seconds_of(const Card& card, Device device, std::int64_t n, ScalarType dtype) {
  detail::Replay replay(card);
  auto entry = product(device, n, dtype);
  replay.take(entry);
  entry.kind = LedgerEntry::Kind::synchronisation;
  replay.take(entry);
  return replay.seconds();
}

}  // namespace

double product_seconds(const Card& card, Device device, std::int64_t n, ScalarType dtype) {
  detail::check_card(card);
  constexpr std::int64_t most = 1'000'000;  // 2n³ fits in 64 bits
  if (n < 1 || n > most) {
    throw ValueError(fmt::format("[product_seconds] n is {}, but must be from 1 to {}", n, most));
  }
  return seconds_of(card, device, n, dtype);
}

std::optional<std::int64_t> crossover(const Card& card, ScalarType dtype) {
  detail::check_card(card);
  for (std::int64_t n = 1; n <= largest; ++n) {
    if (seconds_of(card, gpu(0), n, dtype) < seconds_of(card, cpu(), n, dtype)) return n;
  }
  return std::nullopt;
}

}  // namespace d2l
