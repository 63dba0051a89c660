// SPDX-License-Identifier: MIT
#include "check/timed_products.h"

#include <algorithm>

#include "check/product_batches.h"

namespace d2l::check {
namespace {

/// When the host's first wait for the queue after the entry at `place` ended, unless a copy was issued before it; else
/// when the work of the entry ended.
std::int64_t known_after(const std::vector<LedgerEntry>& entries, std::size_t place) {
  const LedgerEntry& product = entries[place];
  for (std::size_t i = place + 1; i < entries.size(); ++i) {
    if (!(entries[i].queue == product.queue)) continue;
    if (entries[i].kind == LedgerEntry::Kind::synchronisation) return std::max(product.ended, entries[i].ended);
    if (entries[i].kind == LedgerEntry::Kind::copy) break;
  }
  return product.ended;
}

}  // namespace

TimedTogether timed_products(const Recording& recording, std::int64_t count, std::chrono::duration<double> pause) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < recording.entries.size(); ++i) {
    if (is_product(recording.entries[i])) places.push_back(i);
  }
  if (std::ssize(places) < count) {
    throw CheckError(std::to_string(places.size()) + " products were computed, and " + std::to_string(count) +
                     " asked for");
  }
  places.erase(places.begin(), places.end() - count);
  const LedgerEntry& first = recording.entries[places.front()];
  const bool held = static_cast<double>(first.began - first.issued) * 1e-9 > pause.count();
  TimedTogether timed;
  timed.ordered = first.issued;
  timed.begun = held ? first.began : first.issued;
  for (const std::size_t place : places) {
    const LedgerEntry& product = recording.entries[place];
    timed.products.push_back(product);
    timed.ended = std::max(timed.ended, product.ended);
    timed.known = std::max(timed.known, known_after(recording.entries, place));
  }
  for (std::size_t i = places.front(); i < places.back(); ++i) {
    const auto kind = recording.entries[i].kind;
    timed.waits += kind == LedgerEntry::Kind::synchronisation ? 1 : 0;
    timed.copies += kind == LedgerEntry::Kind::copy ? 1 : 0;
  }
  return timed;
}

}  // namespace d2l::check
