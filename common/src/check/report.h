// SPDX-License-Identifier: MIT
// What a check says in the end: to a reader, and as JSON.
#pragma once

#include <cstdint>
#include <string>

#include "d2l/check.h"

namespace d2l::check {

/// "pass", "fail" or "not_verifiable".
std::string word(Verdict verdict);
/// "result", "placement", "cost" or "timing".
std::string word(Kind kind);

/// A line an item, and under each that failed what was expected, what was found, where, and the hint to read.
void print_report(const Judgement& judgement, std::uint64_t seed);
/// Writes the same as JSON, whole or not at all.
void write_report(const Judgement& judgement, std::uint64_t seed, const std::string& path);

}  // namespace d2l::check
