// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "grading/reports/results.h"

namespace d2l::grading {

/// One line an item, in the format of RFC 4180. An apostrophe precedes a field that a spreadsheet would read as a
/// formula. The notes on a student are in the student's first line.
std::string csv_report(const Results& results);

}  // namespace d2l::grading
