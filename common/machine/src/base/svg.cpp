// SPDX-License-Identifier: MIT
#include "base/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace d2l::detail::svg {

std::string escaped(const std::string& text) {
  static const std::map<char, const char*> entities{{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}};
  std::string result;
  for (const char c : text) {
    if (const auto entity = entities.find(c); entity != entities.end()) {
      result += entity->second;
    } else {
      result += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
    }
  }
  return result;
}

std::string at(double length) {
  const double tenths = std::round(std::clamp(length, -1e5, 1e5) * 10) / 10;
  return fmt::format("{:g}", tenths == 0 ? 0 : tenths);
}

}  // namespace d2l::detail::svg
