// SPDX-License-Identifier: MIT
#include "declarations.h"

#include <algorithm>
#include <string_view>

#include "targets.h"

namespace d2l::emulator::translator {
namespace {

/// The name in the declaration of a parameter [begin, end): the last word before a default value or dimensions.
std::string_view declared_name(const Syntax& syntax, int begin, int end) {
  int last = begin;
  while (last < end && !syntax.is(last, "=") && !syntax.is(last, "[")) ++last;
  --last;
  return last > begin && syntax.is_identifier(last) ? syntax.text(last) : std::string_view();
}

/// The class of texture references or surface references.
std::string reference_class(const Syntax& syntax, int i) {
  const bool texture = syntax.is(i, "texture");
  if ((!texture && !syntax.is(i, "surface")) || !syntax.is(i + 1, "<")) return {};
  const int end = syntax.angle_end(i + 1);
  if (end < 0) return {};
  for (int k = i + 2; k < end; ++k) {  // a comparison has operators
    if (syntax.is(k, "&") || syntax.is(k, "|") || syntax.is(k, "(") || syntax.is(k, ";")) return {};
  }
  for (const char* one : {"::", ".", "->", "class", "struct"}) {
    if (syntax.is(i - 1, one)) return {};
  }
  for (int k = 1; k < syntax.size(); ++k) {
    const bool declares = syntax.is(k - 1, "class") || syntax.is(k - 1, "struct") || syntax.is(k - 1, "using");
    if (declares && syntax.text(k) == syntax.text(i)) return {};
  }
  return texture ? "::d2l::emulator::TextureReference" : "::d2l::emulator::SurfaceReference";
}

}  // namespace

std::vector<std::string> declared_names(const Syntax& syntax, int begin, int end) {
  std::vector<std::string> names;
  int last = -1;          // the last identifier of this declarator
  bool skipping = false;  // in dimensions or an initialiser
  for (int i = begin; i <= end; ++i) {
    if (const int attribute = syntax.attribute_end(i); attribute > 0) {
      i = attribute;
    } else if (syntax.is(i, ",") || i == end) {
      if (last >= 0) names.emplace_back(syntax.text(last));
      last = -1;
      skipping = false;
    } else if (syntax.is(i, "=")) {
      skipping = true;
    } else if (syntax.is(i, "<") && !skipping && syntax.angle_end(i) > 0) {
      i = syntax.angle_end(i);
    } else if (syntax.is(i, "[") || syntax.is(i, "{")) {
      skipping = true;
      i = std::max(i, syntax.partner(i));
    } else if (syntax.is(i, "(")) {
      if (!skipping) return {};
      i = std::max(i, syntax.partner(i));
    } else if (syntax.is_identifier(i) && !skipping) {
      last = i;
    }
  }
  return names;
}

KernelParameters kernel_parameters(const Syntax& syntax, int i) {
  if (syntax.token(i).directive != 0 || syntax.scope(i) != Syntax::Scope::namespace_) return {};
  for (++i; i < syntax.size() && !syntax.is(i, "("); ++i) {
    if (syntax.is(i, ";") || syntax.is(i, "{") || syntax.token(i).directive != 0) return {};
    if (const int attribute = syntax.attribute_end(i); attribute > 0) i = attribute;
  }
  if (i >= syntax.size()) return {};
  const int close = syntax.partner(i);
  if (close < 0 || !syntax.is(close + 1, "{") || syntax.partner(close + 1) < 0) return {};
  const int name = syntax.is(i - 1, ">") ? syntax.angle_begin(i - 1) - 1 : i - 1;
  if (name < 0 || !syntax.is_identifier(name)) return {};
  KernelParameters result{syntax.partner(close + 1), std::string(syntax.text(name)), ""};
  int begin = i + 1;
  for (int k = begin; k <= close && close > i + 1; ++k) {
    if (syntax.is(k, ",") || k == close) {
      result.names += std::string(declared_name(syntax, begin, k)) + ",";
      begin = k + 1;
    } else if (syntax.is(k, "<")) {
      k = std::max(k, syntax.angle_end(k));
    } else if (syntax.is(k, "(") || syntax.is(k, "[") || syntax.is(k, "{")) {
      k = std::max(k, syntax.partner(k));
    }
  }
  return result;
}

std::string translated_name(const Syntax& syntax, int i) {
  // The compiler replaces its own functions by accesses that are not checked.
  for (const std::string_view function : {"memcpy", "memmove", "memset"}) {
    const std::string_view word = syntax.text(i);
    if (word.starts_with("__builtin_") && word.substr(10) == function && syntax.is(i + 1, "(")) {
      return std::string(function);
    }
  }
  const std::string target = translated_target(syntax.text(i));
  return target.empty() ? reference_class(syntax, i) : target;
}

}  // namespace d2l::emulator::translator
