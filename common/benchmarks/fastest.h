// SPDX-License-Identifier: MIT
// fastest(): the summary of repetitions if other load on the machine disturbs two cores more than one.
#pragma once

#include <algorithm>
#include <vector>

inline double fastest(const std::vector<double>& times) { return *std::min_element(times.begin(), times.end()); }
