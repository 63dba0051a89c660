// SPDX-License-Identifier: MIT
#include "kernel_casts.h"

#include <algorithm>
#include <string>

namespace d2l::emulator::translator {
namespace {

/// The name that a declaration with __global__ at token `i` declares; -1 if there is none.
int declared_name(const Syntax& syntax, int i) {
  for (int k = i + 1; k < syntax.size(); ++k) {
    if (syntax.is(k, ";") || syntax.is(k, "{") || syntax.is(k, "}")) return -1;
    if (!syntax.is_identifier(k) || !syntax.is(k + 1, "(")) continue;
    if (!syntax.is(k, "__launch_bounds__") && !syntax.is(k, "__attribute__")) return k;
    if (syntax.partner(k + 1) < 0) return -1;
    k = syntax.partner(k + 1);
  }
  return -1;
}

/// The cast to void* before the identifier `i`.
KernelCast cast_before(const Syntax& syntax, int i) {
  int first = i;
  while (syntax.is(first - 1, "::")) first -= syntax.is_identifier(first - 2) ? 2 : 1;
  if (syntax.is(first - 1, "&")) --first;
  const int before = first - 1;
  if (syntax.is(before, "(") && syntax.is(before - 1, ">")) {
    const int angle = syntax.angle_begin(before - 1);
    const bool cast = angle > 0 && syntax.is(angle - 1, "reinterpret_cast");
    return cast && is_void_pointer(syntax, angle + 1, before - 1) ? KernelCast{angle - 1, before - 1} : KernelCast{};
  }
  if (!syntax.is(before, ")") || syntax.partner(before) < 0) return {};
  const int open = syntax.partner(before);
  return is_void_pointer(syntax, open + 1, before) ? KernelCast{open, before} : KernelCast{};
}

}  // namespace

bool is_void_pointer(const Syntax& syntax, int begin, int end) {
  const std::string type = syntax.joined(begin, std::max(begin, end));
  return type == "void*" || type == "const void*" || type == "void const*";
}

std::vector<std::string_view> declared_kernels(const Syntax& syntax) {
  std::vector<std::string_view> names;
  for (int i = 0; i < syntax.size(); ++i) {
    if (!syntax.is(i, "__global__")) continue;
    if (const int name = declared_name(syntax, i); name >= 0) names.push_back(syntax.text(name));
  }
  return names;
}

KernelCast kernel_cast(const Syntax& syntax, int i, const std::vector<std::string_view>& kernels) {
  const KernelCast cast = cast_before(syntax, i);
  const bool node = syntax.is(cast.begin - 1, "=") && syntax.is(cast.begin - 2, "func");  // of a header's kernel, too
  const bool known = std::ranges::find(kernels, syntax.text(i)) != kernels.end();
  return cast.begin >= 0 && (node || known) ? cast : KernelCast{};
}

}  // namespace d2l::emulator::translator
