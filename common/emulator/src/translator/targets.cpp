// SPDX-License-Identifier: MIT
#include "targets.h"

#include <algorithm>
#include <array>

namespace d2l::emulator::translator {

std::string translated_target(std::string_view word) {
  if (!word.starts_with("NV_")) return {};
  constexpr std::array<std::string_view, 7> names = {"NV_IF_TARGET", "NV_IF_ELSE_TARGET", "NV_DISPATCH_TARGET",
                                                     "NV_IS_HOST",   "NV_IS_DEVICE",      "NV_ANY_TARGET",
                                                     "NV_NO_TARGET"};
  if (std::ranges::find(names, word) != names.end()) return "D2L_" + std::string(word);
  if (word.starts_with("NV_HAS_FEATURE_SM_")) return "D2L_NV_NO_TARGET";
  for (const std::string_view kind : {"NV_PROVIDES_SM", "NV_IS_EXACTLY_SM"}) {
    if (!word.starts_with(kind) || word.size() < kind.size() + 2) continue;
    return "D2L_" + std::string(kind) + "(" + std::string(word.substr(kind.size() + 1)) + ")";
  }
  return {};
}

}  // namespace d2l::emulator::translator
