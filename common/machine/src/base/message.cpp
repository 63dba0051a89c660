// SPDX-License-Identifier: MIT
// The form of error messages.
#include "base/message.h"

#include <fmt/format.h>

namespace d2l::detail {

std::string message(std::string_view operation, std::string_view sentence, std::string_view more,
                    std::string_view fix) {
  auto result = fmt::format("[{}] {}", operation, sentence);
  if (!more.empty()) result += fmt::format(" {}", more);
  if (!fix.empty()) result += fmt::format("{}{}.", result.back() == '.' ? " Fix: " : "; ", fix);
  return result;
}

}  // namespace d2l::detail
