// SPDX-License-Identifier: MIT
// Times as a reader likes them: three digits and a unit.
#pragma once

#include <string>

namespace d2l::detail {

struct TimeUnit {
  double seconds;
  const char* name;
};

/// The unit in which a time has from one to three digits before the point: "ns", "µs", "ms" or "s".
TimeUnit time_unit(double seconds);
/// "1.52", "15.2", "152".
std::string three_digits(double value);
/// "1.52 ms"; "0 s".
std::string in_words(double seconds);

}  // namespace d2l::detail
