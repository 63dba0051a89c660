// SPDX-License-Identifier: MIT
#include "base/units.h"

#include <fmt/format.h>

namespace d2l::detail {

TimeUnit time_unit(double seconds) {
  if (seconds < 1e-6) return {1e-9, "ns"};
  if (seconds < 1e-3) return {1e-6, "µs"};
  if (seconds < 1) return {1e-3, "ms"};
  return {1, "s"};
}

std::string three_digits(double value) {
  return fmt::format("{:.{}f}", value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0);
}

std::string seconds_text(double seconds) {
  if (seconds == 0) return "0 s";
  const auto unit = time_unit(seconds);
  return fmt::format("{} {}", three_digits(seconds / unit.seconds), unit.name);
}

std::string bytes_text(std::size_t bytes) {
  const auto size = static_cast<double>(bytes);
  if (size <= 0x1p10) return fmt::format("{} bytes", bytes);
  if (size <= 0x1p20) return fmt::format("{:.2f} KiB", size / 0x1p10);
  if (size <= 0x1p30) return fmt::format("{:.2f} MiB", size / 0x1p20);
  return fmt::format("{:.2f} GiB", size / 0x1p30);
}

std::string rate_text(double each_second, const char* unit) {
  struct Prefix {
    double size;
    const char* name;
  };
  constexpr Prefix prefixes[] = {{1e15, "P"}, {1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {0, ""}};
  const auto* prefix = prefixes;
  while (each_second < prefix->size) ++prefix;
  return fmt::format("{:.4g} {}{}", prefix->size > 0 ? each_second / prefix->size : each_second, prefix->name, unit);
}

}  // namespace d2l::detail
