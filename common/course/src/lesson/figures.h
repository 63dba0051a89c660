// SPDX-License-Identifier: MIT
// The pictures of the chapters, which the build puts into the library.
#pragma once

#include <string>

namespace d2l::detail {

/// A picture and its description in words.
struct Figure {
  std::string svg;
  std::string description;
};

/// chapters/…/figures/NAME.svg on one line, without its element `desc`; ValueError for another name.
Figure figure_named(const std::string& name);

}  // namespace d2l::detail
