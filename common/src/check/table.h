// SPDX-License-Identifier: MIT
// What demonstrations of exercises show: measured and modelled numbers, in tables that say which of the two they are.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "d2l/cost_model.h"

namespace d2l::check {

/// Rows as lines of text, in columns; the first row is the heading, the first column is on the left.
std::string table(const std::vector<std::vector<std::string>>& rows);
/// "1.52 ms".
std::string in_seconds(double seconds);
/// "12.3 GFLOP/s".
std::string in_gigaflops(double flops, double seconds);
/// "1.93 ×".
std::string times(double ratio);
/// "0.96 × the measured": how a modelled time compares with the measured one.
std::string against(double modelled, double measured);

/// Where measured times come from: "measured on NVIDIA H200", "measured; host threads, not a GPU", "measured on the
/// CPU".
std::string measured_here();
/// The card that gpu(0) is, when the cost model knows it; else null.
const Card* card_here();
/// What `work` issues.
std::vector<LedgerEntry> issued_by(const std::function<void()>& work);

}  // namespace d2l::check
