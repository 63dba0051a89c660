// SPDX-License-Identifier: MIT
// ./learn docs
#include <fmt/format.h>

#include <cstdlib>

#include "base/error.h"
#include "base/files.h"
#include "base/process.h"
#include "base/terminal.h"
#include "base/text.h"
#include "build/build.h"
#include "commands/subcommand.h"

namespace d2l::runner {
namespace {

namespace fs = std::filesystem;

bool is_set(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

/// The packages of the group docs in cmake/packages.txt, each with a space before it.
std::string packages_for_docs() {
  std::string packages;
  for (const std::string& line : lines_of(read_file(root() / "cmake" / "packages.txt"))) {
    if (line.starts_with("docs ")) packages += line.substr(4, line.find(' ', 5) - 4);
  }
  return packages;
}

bool can_open() {
  return on_terminal() && (is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")) && !find_program("xdg-open").empty();
}

int make_docs(const Options& /*unused*/) {
  const Build build("cpu");
  const fs::path docs = build.folder() / "docs";
  // Doxygen may have been installed after the build was configured.
  if (!fs::exists(docs / "Doxyfile")) build.make({"rebuild_cache"}, "Looking for the packages that make the book");
  if (!fs::exists(docs / "Doxyfile")) {
    throw Stop(failed,
               fmt::format("A package that ./learn docs needs is missing. On Debian and Ubuntu ./learn docs installs "
                           "these packages; by hand:\n  apt-get install{}",
                           packages_for_docs()));
  }
  build.make({"docs"}, "Building the book");
  const std::string page = (docs / "html" / "index.html").string();
  fmt::print("The first page of the book: {}\n", page);
  if (can_open()) run({"xdg-open", page}, root());
  return 0;
}

}  // namespace

Subcommand docs_subcommand() {
  return {"docs", "build the course as an HTML book, and open it where there is a browser", make_docs, {}};
}

}  // namespace d2l::runner
