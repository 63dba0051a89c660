// SPDX-License-Identifier: MIT
// docs.
#include <fmt/format.h>

#include <cstdlib>

#include "build.h"
#include "commands.h"
#include "error.h"
#include "process.h"
#include "terminal.h"

namespace d2l::runner {
namespace {

namespace fs = std::filesystem;

bool is_set(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

bool can_open() {
  return on_terminal() && (is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")) && !find_program("xdg-open").empty();
}

}  // namespace

int make_docs() {
  const Build build("cpu");
  const fs::path docs = build.folder() / "docs";
  // Doxygen may have come since the build was configured.
  if (!fs::exists(docs / "Doxyfile")) build.make({"rebuild_cache"}, "Looking for what makes the site");
  if (!fs::exists(docs / "Doxyfile")) {
    throw Stop(
        failed,
        "The site is made by Doxygen (with the theme doxygen-awesome-css), graphviz, MathJax 2 and md4c, and one of "
        "them is missing.\nOn Debian and Ubuntu ./learn docs installs them; by hand:\n"
        "  apt-get install doxygen doxygen-awesome-css graphviz libjs-mathjax libmd4c-dev");
  }
  build.make({"docs"}, "Making the site");
  const std::string page = (docs / "html" / "index.html").string();
  fmt::print("The site begins with {}\n", page);
  if (can_open()) run({"xdg-open", page}, root());
  return 0;
}

}  // namespace d2l::runner
