// SPDX-License-Identifier: MIT
#include "lesson/figures.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <string_view>
#include <vector>

#include "base/message.h"
#include "d2l/error.h"

namespace d2l::detail {

namespace {

const std::map<std::string, std::string_view>& figures() {
  static const std::map<std::string, std::string_view> all{
#include "figures.inc"
  };
  return all;
}

}  // namespace

Figure figure_named(const std::string& name) {
  const auto found = figures().find(name);
  if (found == figures().end()) {
    std::vector<std::string> names;
    for (const auto& [known, svg] : figures()) names.push_back(known);
    fail<ValueError>("show_figure", fmt::format("there is no figure {}", name),
                     fmt::format("(chapters/*/figures has {})", fmt::join(names, ", ")),
                     "give the name of a file there, without .svg");
  }
  Figure figure;
  bool indented = true;
  for (const char byte : found->second) {  // joins the lines
    if (byte == '\n') {
      if (!figure.svg.ends_with('>')) figure.svg += ' ';
      indented = true;
    } else if (!indented || byte != ' ') {
      figure.svg += byte;
      indented = false;
    }
  }
  const std::string begin = "<desc>";
  const std::string end = "</desc>";
  const auto from = figure.svg.find(begin);
  const auto to = figure.svg.find(end);
  if (from != std::string::npos && to != std::string::npos) {
    figure.description = figure.svg.substr(from + begin.size(), to - from - begin.size());
    figure.svg.erase(from, to + end.size() - from);
  }
  return figure;
}

}  // namespace d2l::detail
