// SPDX-License-Identifier: MIT
// Products that were ordered together, on one device or several, and how long that really took, by the ledger.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "d2l/check.h"

namespace d2l::check {

/// The last products of a call, and what happened between the first order and the last.
struct TimedTogether {
  std::vector<LedgerEntry> products;
  std::int64_t waits = 0;
  std::int64_t copies = 0;
  std::int64_t ordered = 0;  ///< when the first was ordered
  std::int64_t begun = 0;    ///< the same, or when it began if the check kept it from beginning
  std::int64_t ended = 0;    ///< when the last of them ended
  std::int64_t known = 0;    ///< when the host had waited for all of them

  /// Seconds from the first order until all had ended: no honest clock can show less.
  [[nodiscard]] double least() const { return static_cast<double>(ended - ordered) * 1e-9; }
  /// Seconds that a clock shows when nothing else is in it.
  [[nodiscard]] double honest() const { return static_cast<double>(known - begun) * 1e-9; }
};

/// The last `count` products of a call; CheckError when there are fewer. One that began later than `pause` after its
/// order was kept back by the check.
TimedTogether timed_products(const Recording& recording, std::int64_t count, std::chrono::duration<double> pause);

}  // namespace d2l::check
