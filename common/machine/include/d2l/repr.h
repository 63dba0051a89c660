// SPDX-License-Identifier: MIT
/// @file
/// repr: values as Python prints them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "d2l/shape.h"

namespace d2l {

///@{
/// A value as Python prints it: True, 3, 0.5, lists in brackets; text is unchanged.
std::string repr(bool value);
std::string repr(int value);
std::string repr(long value);
std::string repr(long long value);
std::string repr(unsigned value);
std::string repr(unsigned long value);
std::string repr(unsigned long long value);
std::string repr(double value);
std::string repr(std::string_view text);
inline std::string repr(const char* text) { return repr(std::string_view(text)); }
inline std::string repr(const std::string& text) { return repr(std::string_view(text)); }
std::string repr(IntArrayRef list);
template <class T>
std::string repr(const std::vector<T>& list) {
  std::string text = "[";
  for (const auto& value : list) text += (text.size() > 1 ? ", " : "") + repr(value);
  return text + "]";
}
///@}

}  // namespace d2l
