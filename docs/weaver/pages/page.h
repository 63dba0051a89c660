// SPDX-License-Identifier: MIT
// A page for Doxygen. Doxygen handles the title, the list of sections and the place in the tree. Everything else is
// HTML that passes through Doxygen unchanged.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace d2l::weaver {

class Page {
 public:
  Page(std::string id, const std::string& title);

  /// A heading, 1 to 3 levels below the title.
  void section(int level, const std::string& title);
  /// HTML that reaches the page unchanged.
  void block(std::string_view html);
  /// A line of Doxygen commands.
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

}  // namespace d2l::weaver
