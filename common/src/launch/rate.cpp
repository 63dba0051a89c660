// SPDX-License-Identifier: MIT
#include "launch/rate.h"

#include <charconv>
#include <string_view>

namespace d2l::launch {

std::optional<double> bytes_per_second(const std::string& rate) {
  // Digits, and a fraction if there is one: from_chars() also reads a sign, an exponent and names such as "inf".
  const std::string_view text = rate;
  const auto digits_of = [](std::string_view rest) { return rest.substr(0, rest.find_first_not_of("0123456789")); };
  const auto whole = digits_of(text);
  std::string_view number = whole;
  if (text.substr(number.size(), 1) == ".") {
    const auto fraction = digits_of(text.substr(number.size() + 1));
    if (fraction.empty()) return std::nullopt;
    number = text.substr(0, number.size() + 1 + fraction.size());
  }
  const auto unit = text.substr(number.size());
  const double scale = unit == "kbit" ? 1e3 : unit == "Mbit" ? 1e6 : unit == "Gbit" ? 1e9 : 0;
  if (whole.empty() || whole.front() == '0' || whole.size() > 6 || scale == 0) return std::nullopt;
  double bits = 0;
  std::from_chars(number.data(), number.data() + number.size(), bits);
  return bits * scale / 8;
}

}  // namespace d2l::launch
