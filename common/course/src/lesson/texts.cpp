// SPDX-License-Identifier: MIT
#include "d2l/texts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <string_view>
#include <vector>

#include "base/message.h"
#include "d2l/error.h"

namespace d2l {

namespace {

/// Each text in pieces, because a compiler need not accept a literal of more than 65536 characters.
const std::map<std::string, std::vector<std::string_view>>& texts() {
  static const std::map<std::string, std::vector<std::string_view>> all{
#include "texts.inc"
  };
  return all;
}

}  // namespace

std::string course_text(const std::string& name) {
  const auto found = texts().find(name);
  if (found == texts().end()) {
    std::vector<std::string> names;
    for (const auto& [known, pieces] : texts()) names.push_back(known);
    detail::fail<ValueError>("course_text", fmt::format("there is no text {}", name),
                             fmt::format("(chapters/*/data has {})", fmt::join(names, ", ")),
                             "give the name of a file there, without .txt");
  }
  return fmt::format("{}", fmt::join(found->second, ""));
}

}  // namespace d2l
