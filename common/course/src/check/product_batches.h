// SPDX-License-Identifier: MIT
// The true durations of products, from the ledger: the reference for a student's measurement.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "d2l/check.h"

namespace d2l::check {

/// Whether an entry is the launch of a matrix product.
bool is_product(const LedgerEntry& entry);

/// Expects that the call multiplied float32 matrices, and that no other operation made or changed an operand.
void expect_only_float_products(ItemJudgement& item, const Recording& recording, const std::string& where);

/// The products of a device between two idle moments.
struct Batch {
  std::int64_t products = 0;
  std::int64_t ordered = 0;  ///< when the first was issued
  std::int64_t begun = 0;    ///< the same, or when it began if the check delayed it
  std::int64_t ended = 0;    ///< when the last ended
  std::int64_t known = 0;    ///< when the host had waited for only the products; else the same

  /// Seconds for each product since the first was issued: no correct measurement is shorter.
  [[nodiscard]] double least() const {
    return static_cast<double>(ended - ordered) * 1e-9 / static_cast<double>(products);
  }
  /// Seconds for each product in a measurement of nothing else.
  [[nodiscard]] double real_time() const {
    return static_cast<double>(known - begun) * 1e-9 / static_cast<double>(products);
  }
};

/// The batches of a call on a device, in order; CheckError if there are none. A product that began later than `pause`
/// after it was issued was delayed by the check.
std::vector<Batch> product_batches(const Recording& recording, Device device, std::chrono::duration<double> pause);
/// The shortest possible time of a measurement that waits for the products.
double shortest_possible(const std::vector<Batch>& batches);
/// The time of a product: the larger of mean and median over all batches but the first, which is warm-up. CheckError if
/// there is only one.
double typical(std::vector<Batch> batches);

}  // namespace d2l::check
