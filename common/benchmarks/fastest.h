// SPDX-License-Identifier: MIT
// fastest(): what a benchmark's repetitions are summed up by where others on the machine disturb two cores more than
// one.
#pragma once

#include <algorithm>
#include <vector>

inline double fastest(const std::vector<double>& times) { return *std::min_element(times.begin(), times.end()); }
