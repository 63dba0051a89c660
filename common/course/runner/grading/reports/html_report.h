// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "grading/reports/results.h"

namespace d2l::grading {

/// One page without other files: a table of the class, then each student's items with the reason of every lost point.
std::string html_report(const Results& results);

}  // namespace d2l::grading
