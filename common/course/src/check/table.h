// SPDX-License-Identifier: MIT
// Tables of measured and modelled numbers, for the demonstrations of exercises.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "d2l/cost_model.h"

namespace d2l::check {

/// Rows as lines of text with aligned columns; the first row is the heading, the first column is left-aligned.
std::string table(const std::vector<std::vector<std::string>>& rows);
/// "1.52 ms".
std::string in_seconds(double seconds);
/// "12.3 GFLOP/s".
std::string in_gigaflops(double flops, double seconds);
/// "1.93 ×".
std::string times(double ratio);
/// "0.96 × the measured": a modelled time relative to the measured one.
std::string against(double modelled, double measured);

/// The origin of measured times: "measured on NVIDIA H200", "measured; host threads, not a GPU", "measured on the
/// CPU".
std::string measured_here();
/// The card of gpu(0) in the cost model; null if the cost model does not have it.
const Card* card_here();
/// The ledger entries of `work`.
std::vector<LedgerEntry> issued_by(const std::function<void()>& work);

}  // namespace d2l::check
