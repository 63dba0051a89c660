// SPDX-License-Identifier: MIT
// How long products really took, by the ledger: what a clock of the student's is held against.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "d2l/check.h"

namespace d2l::check {

/// Whether an entry is the launch of a matrix product.
bool is_product(const LedgerEntry& entry);

/// The products that a device was given between two moments at which it had nothing to do.
struct Batch {
  std::int64_t products = 0;
  std::int64_t ordered = 0;  ///< when the first was ordered
  std::int64_t begun = 0;    ///< the same, or when it began if the check kept it from beginning
  std::int64_t ended = 0;    ///< when the last ended
  std::int64_t known = 0;    ///< when the host knew, if it waited for the products and for nothing else; or the same

  /// Seconds a product from the first order: no honest clock can show less.
  [[nodiscard]] double least() const {
    return static_cast<double>(ended - ordered) * 1e-9 / static_cast<double>(products);
  }
  /// Seconds a product that a clock shows when nothing else is in it.
  [[nodiscard]] double honest() const {
    return static_cast<double>(known - begun) * 1e-9 / static_cast<double>(products);
  }
};

/// The batches of a call on a device, in order; CheckError when there is none. A product that began later than `pause`
/// after its order was kept back by the check.
std::vector<Batch> product_batches(const Recording& recording, Device device, std::chrono::duration<double> pause);
/// What no clock can be below that waits for what it times.
double least_possible(const std::vector<Batch>& batches);
/// What a product took, mean or median, whichever is longer; the first batch is warm-up. CheckError when there is no
/// other.
double typical(std::vector<Batch> batches);

}  // namespace d2l::check
