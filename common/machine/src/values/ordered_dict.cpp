// SPDX-License-Identifier: MIT
// OrderedDict: its errors.
#include "d2l/ordered_dict.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/message.h"

namespace d2l::detail {

void fail_key_defined(const std::string& description, const std::string& key) {
  fail<ValueError>("OrderedDict", fmt::format("{} '{}' already defined", description, key), {},
                   "use another name, or assign to the existing value: dict[key] = value");
}

void fail_key_missing(const std::string& description, const std::string& key, const std::vector<std::string>& known,
                      std::size_t count) {
  const auto what = count == 0
                        ? std::string("it is empty")
                        : fmt::format("it has '{}'{}", fmt::join(known, "', '"),
                                      count > known.size() ? fmt::format(" and {} more", count - known.size()) : "");
  fail<IndexError>("OrderedDict", fmt::format("{} '{}' is not defined", description, key), fmt::format("({})", what),
                   "check contains(key) first, or use find(key), which may return null");
}

void fail_item_missing(const std::string& description, std::size_t index, std::size_t count) {
  fail<IndexError>("OrderedDict", fmt::format("Index {} is out of bounds", index),
                   fmt::format("({}s: {})", description, count), "check size() first");
}

}  // namespace d2l::detail
