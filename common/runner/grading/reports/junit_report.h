// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "grading/reports/results.h"

namespace d2l::grading {

/// JUnit's XML for build servers: one suite a student and exercise, one case an item.
std::string junit_report(const Results& results);

}  // namespace d2l::grading
