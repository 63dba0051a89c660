// SPDX-License-Identifier: MIT
// Times, sizes and rates as text: a few digits and a unit.
#pragma once

#include <cstddef>
#include <string>

namespace d2l::detail {

struct TimeUnit {
  double seconds;
  const char* name;
};
/// The unit in which a time has one to three digits before the point: "ns", "µs", "ms" or "s".
TimeUnit time_unit(double seconds);
/// "1.52", "15.2", "152".
std::string three_digits(double value);
/// "1.52 ms"; "0 s".
std::string seconds_text(double seconds);
/// A size as in PyTorch's out-of-memory message: "512 bytes", "1.50 KiB", "64.00 MiB".
std::string bytes_text(std::size_t bytes);

/// A number per second: "320 GB/s" for the unit "B/s".
std::string rate_text(double each_second, const char* unit);

}  // namespace d2l::detail
