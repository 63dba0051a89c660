// SPDX-License-Identifier: MIT
// Which kernels of a source have a name that the driver's functions can look up without a name expression.
#include <algorithm>

#include "nvrtc/program.h"
#include "translator/syntax.h"

namespace d2l::emulator::nvrtc {
namespace {

using translator::Syntax;

/// True for the '{' of extern "C" {, which is no scope.
bool opens_linkage(const Syntax& syntax, int i) {
  return i >= 2 && syntax.is(i - 2, "extern") && syntax.text(i - 1).starts_with('"');
}

/// The name of the kernel that is defined by the tokens from `__global__` on; empty if there is no definition.
std::string defined_name(const Syntax& syntax, int i) {
  for (int k = i + 1; k < syntax.size() && !syntax.is(k, ";") && !syntax.is(k, "{"); ++k) {
    if (!syntax.is(k, "(") || syntax.partner(k) < 0) continue;
    const int end = syntax.partner(k);
    if (syntax.is(end + 1, "{")) return std::string(syntax.text(k - 1));
    k = end;
  }
  return "";
}

}  // namespace

std::vector<std::string> plain_kernels(const std::string& source) {
  const Syntax syntax(source);
  std::vector<std::string> names;
  for (int i = 0; i < syntax.size(); ++i) {
    if (syntax.is(i, "{") && !opens_linkage(syntax, i) && syntax.partner(i) > i) i = syntax.partner(i);
    if (!syntax.is(i, "__global__") || syntax.is(syntax.statement_begin(i), "template")) continue;
    std::string name = defined_name(syntax, i);
    if (!name.empty() && std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  }
  return names;
}

}  // namespace d2l::emulator::nvrtc
