// SPDX-License-Identifier: MIT
// repr: Python's form of values.
#include "d2l/repr.h"

#include <fmt/ranges.h>

#include <array>
#include <charconv>
#include <cmath>

namespace d2l {
namespace {

/// The shortest digits that parse to the same finite number: "1.25" is 125 with exponent 0.
struct Shortest {
  std::string digits;
  int exponent = 0;
};

Shortest shortest(double magnitude) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), magnitude, std::chars_format::scientific).ptr;
  const std::string_view whole(text.data(), static_cast<std::size_t>(end - text.data()));
  const auto mark = whole.find('e');
  Shortest result;
  for (const char c : whole.substr(0, mark)) {
    if (c != '.') result.digits += c;
  }
  const auto sign_and_exponent = whole.substr(mark + 1);
  std::from_chars(sign_and_exponent.data() + 1, end, result.exponent);
  if (sign_and_exponent.front() == '-') result.exponent = -result.exponent;
  return result;
}

std::string scientific(const Shortest& number) {
  std::string text = number.digits.substr(0, 1);
  if (number.digits.size() > 1) text.append(1, '.').append(number.digits, 1);
  const std::string exponent = std::to_string(std::abs(number.exponent));
  return text + (number.exponent < 0 ? "e-" : "e+") + (exponent.size() < 2 ? "0" : "") + exponent;
}

std::string fixed(const Shortest& number) {
  if (number.exponent < 0)
    return "0." + std::string(static_cast<std::size_t>(-number.exponent - 1), '0') + number.digits;
  const auto whole = static_cast<std::size_t>(number.exponent) + 1;
  if (number.digits.size() <= whole) return number.digits + std::string(whole - number.digits.size(), '0') + ".0";
  return number.digits.substr(0, whole) + "." + number.digits.substr(whole);
}

}  // namespace

std::string repr(bool value) { return value ? "True" : "False"; }
std::string repr(int value) { return std::to_string(value); }
std::string repr(long value) { return std::to_string(value); }
std::string repr(long long value) { return std::to_string(value); }
std::string repr(unsigned value) { return std::to_string(value); }
std::string repr(unsigned long value) { return std::to_string(value); }
std::string repr(unsigned long long value) { return std::to_string(value); }

std::string repr(double value) {
  if (std::isnan(value)) return "nan";
  const std::string sign = std::signbit(value) ? "-" : "";
  if (std::isinf(value)) return sign + "inf";
  const auto number = shortest(std::abs(value));
  return sign + (number.exponent < -4 || number.exponent >= 16 ? scientific(number) : fixed(number));
}

std::string repr(std::string_view text) { return std::string(text); }

std::string repr(IntArrayRef list) {
  return fmt::format("torch.Size([{}])", fmt::join(list.begin(), list.end(), ", "));
}

std::ostream& operator<<(std::ostream& out, IntArrayRef list) {
  return out << fmt::format("[{}]", fmt::join(list.begin(), list.end(), ", "));
}

}  // namespace d2l
