// SPDX-License-Identifier: MIT
// ./learn docs
#include <fmt/format.h>

#include <cstdlib>

#include "base/error.h"
#include "base/process.h"
#include "base/terminal.h"
#include "build/build.h"
#include "commands/subcommand.h"

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

int make_docs(const Options& /*unused*/) {
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

}  // namespace

Subcommand docs_subcommand() {
  return {"docs", "make the course as a site, and open it where there is a browser", make_docs, {}};
}

}  // namespace d2l::runner
