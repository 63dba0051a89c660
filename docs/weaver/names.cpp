// SPDX-License-Identifier: MIT
// A tag file has one element a line, which is all that is needed of XML here.
#include "names.h"

#include <stdexcept>

#include "text.h"

namespace d2l::weaver {

namespace {

const std::string space = "d2l::";

/// The text of `<name>text</name>` in a line, if the line is that.
std::optional<std::string> element(const std::string& line, const std::string& name) {
  const auto begin = line.find_first_not_of(' ');
  if (begin == std::string::npos || line[begin] != '<' || line.compare(begin + 1, name.size(), name) != 0) return {};
  const char after = line[begin + 1 + name.size()];
  if (after != '>' && after != ' ') return {};
  const auto from = line.find('>', begin) + 1;
  const auto to = line.find("</" + name + ">", from);
  if (to == std::string::npos) return std::nullopt;
  return text_of_html(line.substr(from, to - from));
}

std::string attribute(const std::string& line, const std::string& name) {
  const auto at = line.find(name + "=\"");
  if (at == std::string::npos) return "";
  const auto from = at + name.size() + 2;
  return line.substr(from, line.find('"', from) - from);
}

std::string without_arguments(const std::string& type) { return type.substr(0, type.find('<')); }

}  // namespace

Names::Names(const std::string& tags) {
  if (tags.find("<tagfile") == std::string::npos) throw std::runtime_error("this is no tag file of Doxygen");
  std::string compound;
  std::string kind;
  std::string member;
  std::string file;
  bool in_member = false;
  for (const auto& line : lines_of(tags)) {
    if (line.find("<compound ") != std::string::npos) {
      kind = attribute(line, "kind");
      compound.clear();
    } else if (line.find("<member ") != std::string::npos) {
      in_member = true;
    } else if (line.find("</member>") != std::string::npos) {
      in_member = false;
    } else if (const auto name = element(line, "name")) {
      if (in_member) {
        member = *name;
      } else {
        compound = *name;
      }
    } else if (const auto filename = element(line, "filename")) {
      if (kind == "class" || kind == "struct") {
        addresses_[compound] = *filename;
        bases_[compound];
      }
    } else if (const auto base = element(line, "base")) {
      bases_[compound].push_back(without_arguments(*base));
    } else if (const auto anchorfile = element(line, "anchorfile")) {
      file = *anchorfile;
    } else if (const auto anchor = element(line, "anchor"); anchor && in_member) {
      if (kind == "file") continue;  // what a namespace or a class has too
      addresses_.try_emplace(compound + "::" + member, file + "#" + *anchor);
      if (kind != "namespace") owners_[member].push_back(compound);
    } else if (const auto value = element(line, "enumvalue"); value && kind != "file") {
      const std::string address = attribute(line, "file") + "#" + attribute(line, "anchor");
      addresses_.try_emplace(compound + "::" + member + "::" + *value, address);
    }
  }
}

std::optional<std::string> Names::full_name(const std::string& name) const {
  for (const auto& candidate : {name, space + name}) {
    if (addresses_.contains(candidate)) return candidate;
  }
  return std::nullopt;
}

std::optional<std::string> Names::find(const std::string& name) const {
  const auto found = full_name(name);
  if (!found) return std::nullopt;
  return addresses_.at(*found);
}

bool Names::is_class(const std::string& name) const {
  const auto found = full_name(name);
  return found && bases_.contains(*found);
}

std::optional<std::string> Names::find_member(const std::string& type, const std::string& member) const {
  const auto found = full_name(type);
  if (!found) return std::nullopt;
  if (const auto own = addresses_.find(*found + "::" + member); own != addresses_.end()) return own->second;
  const auto bases = bases_.find(*found);
  if (bases == bases_.end()) return std::nullopt;
  for (const auto& base : bases->second) {
    if (auto inherited = find_member(base, member)) return inherited;
  }
  return std::nullopt;
}

std::optional<std::string> Names::find_member(const std::string& member) const {
  if (auto of_tensor = find_member("Tensor", member)) return of_tensor;
  const auto owners = owners_.find(member);
  if (owners == owners_.end()) return std::nullopt;
  for (const auto& owner : owners->second) {
    if (owner != owners->second.front()) return std::nullopt;
  }
  return find_member(owners->second.front(), member);
}

}  // namespace d2l::weaver
