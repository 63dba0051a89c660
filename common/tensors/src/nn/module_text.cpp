// SPDX-License-Identifier: MIT
// Module: its name and its printed text, as in PyTorch.
#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <ostream>
#include <string_view>
#include <typeinfo>

#include "d2l/nn/module.h"

namespace d2l::nn {

namespace {

/// The last name of a class: "LinearImpl" of "d2l::nn::LinearImpl", "Pair" of "Pair<a::B>".
std::string last_name(std::string_view path) {
  std::size_t begin = 0;
  std::size_t end = path.size();
  int depth = 0;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const char c = path[i];
    if (c == '<' && depth == 0) end = i;
    if (c == '<' || c == '(' || c == '{') ++depth;
    if (c == '>' || c == ')' || c == '}') --depth;
    if (c != ':' || depth != 0) continue;
    begin = i + 1;
    end = path.size();
  }
  return std::string(path.substr(begin, end - begin));
}

std::string class_name(const std::type_info& type) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> readable(abi::__cxa_demangle(type.name(), nullptr, nullptr, &status),
                                                        std::free);
  auto name = last_name(status == 0 ? readable.get() : type.name());
  constexpr std::string_view ending = "Impl";
  if (name.size() > ending.size() && std::string_view(name).ends_with(ending)) name.resize(name.size() - ending.size());
  return name;
}

/// "(key): " and the module's text, indented by two more.
std::string child_line(const std::string& key, const Module& module) {
  std::string line = "(" + key + "): ";
  for (const char c : repr(module)) {
    line += c;
    if (c == '\n') line += "  ";
  }
  return line;
}

}  // namespace

std::string Module::name() const { return name_.empty() ? class_name(typeid(*this)) : name_; }

std::string repr(const Module& module) {
  const auto extra = module.extra_repr();
  if (module.named_children().is_empty()) return module.name() + "(" + extra + ")";
  std::string text = module.name() + "(\n";
  if (!extra.empty()) text += "  " + extra + "\n";
  for (const auto& child : module.named_children()) text += "  " + child_line(child.key(), *child.value()) + "\n";
  return text + ")";
}

std::ostream& operator<<(std::ostream& out, const Module& module) { return out << repr(module); }

}  // namespace d2l::nn
