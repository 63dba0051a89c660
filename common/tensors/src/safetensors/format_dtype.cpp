// SPDX-License-Identifier: MIT
// The table of the format's element types.
#include <algorithm>
#include <iterator>

#include "safetensors/header.h"

namespace d2l::detail::safetensors {
namespace {

constexpr FormatDtype table[] = {
    {"BOOL", 8, kBool, 1},
    {"U8", 8, kByte, 2},
    {"F16", 16, kHalf, 3},
    {"BF16", 16, kBFloat16, 4},
    {"I32", 32, kInt, 5},
    {"F32", 32, kFloat, 6},
    {"F64", 64, kDouble, 7},
    {"I64", 64, kLong, 8},
    {"F4", 4, std::nullopt},
    {"F6_E2M3", 6, std::nullopt},
    {"F6_E3M2", 6, std::nullopt},
    {"I8", 8, std::nullopt},
    {"F8_E5M2", 8, std::nullopt},
    {"F8_E4M3", 8, std::nullopt},
    {"F8_E8M0", 8, std::nullopt},
    {"F8_E4M3FNUZ", 8, std::nullopt},
    {"F8_E5M2FNUZ", 8, std::nullopt},
    {"I16", 16, std::nullopt},
    {"U16", 16, std::nullopt},
    {"U32", 32, std::nullopt},
    {"U64", 64, std::nullopt},
    {"C64", 64, std::nullopt},
};

}  // namespace

const FormatDtype* find_format_dtype(std::string_view name) noexcept {
  const auto* found =
      std::find_if(std::begin(table), std::end(table), [&](const FormatDtype& dtype) { return dtype.name == name; });
  return found == std::end(table) ? nullptr : found;
}

const FormatDtype& format_dtype_of(ScalarType type) noexcept {
  return *std::find_if(std::begin(table), std::end(table),
                       [&](const FormatDtype& dtype) { return dtype.ours == type; });
}

}  // namespace d2l::detail::safetensors
