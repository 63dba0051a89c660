// SPDX-License-Identifier: MIT
// The form of error messages: the operation, PyTorch's sentence, details, and the fix.
#pragma once

#include <string>
#include <string_view>

#include "d2l/error.h"

namespace d2l::detail {

/// "[add] sentence (operands); fix."
std::string message(std::string_view operation, std::string_view sentence, std::string_view more = {},
                    std::string_view fix = {});

template <class E>
[[noreturn]] void fail(std::string_view operation, std::string_view sentence, std::string_view more = {},
                       std::string_view fix = {}) {
  throw E(message(operation, sentence, more, fix));
}

}  // namespace d2l::detail
