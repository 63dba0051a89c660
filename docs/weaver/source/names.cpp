// SPDX-License-Identifier: MIT
#include "source/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <pugixml.hpp>
#include <stdexcept>

namespace d2l::weaver {

Names::Names(const std::string& tags) {
  pugi::xml_document document;
  document.load_string(tags.c_str());
  const auto tagfile = document.child("tagfile");
  if (!tagfile) throw std::runtime_error("this is not a tag file of Doxygen");
  for (const auto& compound : tagfile.children("compound")) {
    const std::string kind = compound.attribute("kind").value();
    const std::string name = compound.child_value("name");
    if (kind == "file") continue;  // its members are listed in their namespace or class too
    if (kind == "class" || kind == "struct") {
      addresses_[name] = compound.child_value("filename");
      auto& bases = bases_[name];
      for (const auto& base : compound.children("base")) {
        const std::string text = base.child_value();
        bases.push_back(text.substr(0, text.find('<')));
      }
    }
    for (const auto& member : compound.children("member")) {
      const std::string member_name = member.child_value("name");
      const std::string full_name = name + "::" + member_name;
      addresses_.try_emplace(full_name,
                             fmt::format("{}#{}", member.child_value("anchorfile"), member.child_value("anchor")));
      if (kind != "namespace") owners_[member_name].push_back(name);
      for (const auto& value : member.children("enumvalue")) {
        addresses_.try_emplace(
            full_name + "::" + value.child_value(),
            fmt::format("{}#{}", value.attribute("file").value(), value.attribute("anchor").value()));
      }
    }
  }
}

std::optional<std::string> Names::full_name(const std::string& name) const {
  for (const auto& candidate : {name, "d2l::" + name}) {
    if (addresses_.contains(candidate)) return candidate;
  }
  return std::nullopt;
}

std::optional<std::string> Names::find(const std::string& name) const {
  const auto found = full_name(name);
  return found ? std::optional(addresses_.at(*found)) : std::nullopt;
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
  const auto& first = owners->second.front();
  const bool only = std::all_of(owners->second.begin(), owners->second.end(),
                                [&](const std::string& owner) { return owner == first; });
  return only ? find_member(first, member) : std::nullopt;
}

}  // namespace d2l::weaver
