// SPDX-License-Identifier: MIT
#include "check/plausible_time.h"

#include <fmt/format.h>

namespace d2l::check {

double longest_plausible(double seconds) { return 1.5 * seconds + 0.3e-3; }

std::string in_milliseconds(double seconds) { return fmt::format("{:.3g} ms", seconds * 1e3); }

std::string in_milliseconds(double seconds, double reference) {
  return fmt::format("{}, {:.2f} times as much", in_milliseconds(seconds), seconds / reference);
}

}  // namespace d2l::check
