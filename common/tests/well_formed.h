// SPDX-License-Identifier: MIT
// For tests of pictures: parts of a text, and whether it is XML.
#pragma once

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace d2l::testing {

inline std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

/// Checks that the elements of an XML text are closed in the order in which they were opened.
inline void expect_well_formed(const std::string& xml) {
  std::vector<std::string> open;
  for (auto at = xml.find('<'); at != std::string::npos; at = xml.find('<', at + 1)) {
    const auto end = xml.find('>', at);
    ASSERT_NE(end, std::string::npos);
    const auto tag = xml.substr(at + 1, end - at - 1);
    EXPECT_EQ(count_of(tag, "\"") % 2, 0u) << tag;
    if (tag.ends_with('/')) continue;
    if (!tag.starts_with('/')) {
      open.push_back(tag.substr(0, tag.find(' ')));
      continue;
    }
    ASSERT_FALSE(open.empty()) << tag;
    EXPECT_EQ(tag.substr(1), open.back());
    open.pop_back();
  }
  EXPECT_TRUE(open.empty());
}

}  // namespace d2l::testing
