// SPDX-License-Identifier: MIT
// A page on its way to Doxygen, which makes of it the title, the list of sections and the place in the tree; all else
// goes through it as HTML, untouched.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace d2l::weaver {

class Page {
 public:
  Page(std::string id, const std::string& title);

  /// A heading below the title: 1, 2 or 3 levels.
  void section(int level, const std::string& title);
  /// HTML that reaches the page as it is.
  void block(std::string_view html);
  /// A line of Doxygen's own.
  void line(std::string_view text);

  [[nodiscard]] const std::string& id() const { return id_; }
  /// Doxygen's Markdown.
  [[nodiscard]] std::string text() const;

 private:
  std::string id_;
  std::string title_;
  std::string body_;
  std::set<std::string> anchors_;
};

/// A title as a part of an address: "A copy that is none" → "a_copy_that_is_none".
std::string slug(std::string_view title);

}  // namespace d2l::weaver
