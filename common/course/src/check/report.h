// SPDX-License-Identifier: MIT
// The report of a check: printed, and as JSON.
#pragma once

#include <cstdint>
#include <string>

#include "d2l/check.h"

namespace d2l::check {

/// "pass", "fail" or "not_verifiable".
std::string word(Verdict verdict);
/// "result", "placement", "cost" or "timing".
std::string word(Kind kind);

/// Prints a line for each item, and for a failed item what was expected and found, where, and its hint.
void print_report(const Judgement& judgement, std::uint64_t seed);
/// Writes the same as JSON, whole or not at all.
void write_report(const Judgement& judgement, std::uint64_t seed, const std::string& path);

}  // namespace d2l::check
