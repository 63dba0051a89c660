// SPDX-License-Identifier: MIT
// The roofline model: intensities, balances and lower bounds of times.
#include "d2l/roofline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cost_model/durations.h"
#include "cost_model/roofline.h"
#include "d2l/error.h"

namespace d2l {

namespace detail {

void check_work(const Work& work, const char* operation) {
  if (!std::isfinite(work.bytes) || work.bytes <= 0) {
    throw ValueError(fmt::format(
        "[{}] the work \"{}\" has {} bytes, but the number must be more than 0. Fill in the bytes that it reads and "
        "writes, or take them from a ledger that contains a launch",
        operation, work.name, work.bytes));
  }
  if (!std::isfinite(work.operations) || work.operations < 0) {
    throw ValueError(fmt::format("[{}] the work \"{}\" has {} operations, but the number must be 0 or more", operation,
                                 work.name, work.operations));
  }
}

}  // namespace detail

double Work::intensity() const {
  detail::check_work(*this, "intensity");
  return operations / bytes;
}

Work work_of(const std::vector<LedgerEntry>& entries, const std::string& name) {
  Work work{name, 0, 0};
  std::size_t place = 0;
  for (const LedgerEntry& entry : entries) {
    detail::check_entry(entry, place++, "work_of");
    if (entry.kind != LedgerEntry::Kind::launch) continue;
    work.bytes += detail::moved_bytes(entry);
    work.operations += static_cast<double>(entry.flops);
  }
  return work;
}

Work work_of(const TransferLedger& ledger, const std::string& name) { return work_of(ledger.entries(), name); }

double balance(const Card& card, ScalarType dtype) {
  detail::check_card(card, "balance");
  return detail::peak_of(card.processor, dtype) / card.processor.memory_bandwidth;
}

double attainable(const Card& card, double intensity, ScalarType dtype) {
  detail::check_card(card, "attainable");
  if (!std::isfinite(intensity) || intensity < 0) {
    throw ValueError(
        fmt::format("[attainable] the intensity is {}, but must be 0 or more operations per byte", intensity));
  }
  return std::min(detail::peak_of(card.processor, dtype), intensity * card.processor.memory_bandwidth);
}

double min_seconds(const Card& card, const Work& work, ScalarType dtype) {
  detail::check_card(card, "min_seconds");
  detail::check_work(work, "min_seconds");
  return std::max(work.bytes / card.processor.memory_bandwidth,
                  work.operations / detail::peak_of(card.processor, dtype));
}

}  // namespace d2l
