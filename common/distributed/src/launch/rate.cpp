// SPDX-License-Identifier: MIT
#include "launch/rate.h"

#include <charconv>
#include <string_view>
#include <system_error>

namespace d2l::launch {

std::optional<double> bytes_per_second(const std::string& rate) {
  double number = 0;
  const char* const end = rate.data() + rate.size();
  const auto [after, error] = std::from_chars(rate.data(), end, number, std::chars_format::fixed);
  // from_chars() also reads a sign, names such as "inf", and "1." without a digit after it.
  if (error != std::errc() || rate.front() < '1' || rate.front() > '9' || after[-1] == '.') return std::nullopt;
  const std::string_view unit(after, static_cast<std::size_t>(end - after));
  const double scale = unit == "kbit" ? 1e3 : unit == "Mbit" ? 1e6 : unit == "Gbit" ? 1e9 : 0;
  if (scale == 0 || number >= 1e6) return std::nullopt;
  return number * scale / 8;
}

}  // namespace d2l::launch
