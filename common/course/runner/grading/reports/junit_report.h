// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "grading/reports/results.h"

namespace d2l::grading {

/// A report in JUnit's XML format, for build servers: one suite for each student and exercise, one case for each item.
std::string junit_report(const Results& results);

}  // namespace d2l::grading
