// SPDX-License-Identifier: MIT
#include "launch/rate.h"

#include <regex>
#include <sstream>

namespace d2l::launch {

std::optional<double> bytes_per_second(const std::string& rate) {
  static const std::regex form("([1-9][0-9]{0,5}(\\.[0-9]+)?)([kMG])bit");
  std::smatch parts;
  if (!std::regex_match(rate, parts, form)) return std::nullopt;
  std::istringstream text(parts[1].str());
  text.imbue(std::locale::classic());
  double number = 0;
  text >> number;
  const char unit = *parts[3].first;
  const double bits = number * (unit == 'k' ? 1e3 : unit == 'M' ? 1e6 : 1e9);
  return bits / 8;
}

}  // namespace d2l::launch
