// SPDX-License-Identifier: MIT
// Products issued together on one or more devices, and their true duration, from the ledger.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "d2l/check.h"

namespace d2l::check {

/// The last products of a call, and the waits and copies between the first and the last.
struct TimedTogether {
  std::vector<LedgerEntry> products;
  std::int64_t waits = 0;
  std::int64_t copies = 0;
  std::int64_t ordered = 0;  ///< when the first was issued
  std::int64_t begun = 0;    ///< the same, or when it began if the check delayed it
  std::int64_t ended = 0;    ///< when the last of them ended
  std::int64_t known = 0;    ///< when the host had waited for all of them

  /// Seconds since the first was issued until all had ended: no correct measurement is shorter.
  [[nodiscard]] double least() const { return static_cast<double>(ended - ordered) * 1e-9; }
  /// Seconds in a measurement of nothing else.
  [[nodiscard]] double real_time() const { return static_cast<double>(known - begun) * 1e-9; }
};

/// The last `count` products of a call; CheckError if there are fewer. A product that began later than `pause` after it
/// was issued was delayed by the check.
TimedTogether timed_products(const Recording& recording, std::int64_t count, std::chrono::duration<double> pause);

}  // namespace d2l::check
