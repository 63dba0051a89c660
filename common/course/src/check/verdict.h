// SPDX-License-Identifier: MIT
// What the program of an exercise and its judge share: the verdict on an outcome, and its report.
#pragma once

#include <cstdint>
#include <string>

#include "d2l/check.h"

namespace d2l::check {

/// The judgement of an outcome; `error` is the exception of run(), empty if it returned.
Judgement judged(const Inputs& inputs, const Outcome& outcome, const std::string& error);

/// Prints the report, writes it to `path` unless that is empty, and returns the exit code of the verdict.
int report(const Judgement& judgement, std::uint64_t seed, const std::string& path);

/// Writes the items of the check, without a verdict, to a JSON file.
void write_items(const std::string& path);

}  // namespace d2l::check
