// SPDX-License-Identifier: MIT
// Doxygen writes one element a line into a tag file, so no XML parser is needed.
#include "source/names.h"

#include <algorithm>
#include <regex>
#include <stdexcept>

#include "source/text.h"

namespace d2l::weaver {

namespace {

/// `<name attributes>text</…>` in a line.
struct Element {
  std::string name;  ///< "/member" for a closing tag; empty if the line is of another form
  std::string attributes;
  std::string text;
};

Element element_of(const std::string& line) {
  static const std::regex form(R"re(\s*<(/?\w+)([^>]*)>([^<]*).*)re");
  std::smatch match;
  if (!std::regex_match(line, match, form)) return {};
  return {match[1], match[2], text_of_html(match[3].str())};
}

std::string attribute(const std::string& attributes, const std::string& name) {
  std::smatch match;
  return std::regex_search(attributes, match, std::regex(name + "=\"([^\"]*)\"")) ? match[1].str() : "";
}

}  // namespace

Names::Names(const std::string& tags) {
  if (tags.find("<tagfile") == std::string::npos) throw std::runtime_error("this is not a tag file of Doxygen");
  std::string compound;
  std::string kind;
  std::string member;
  std::string file;
  bool in_member = false;
  for (const auto& line : lines_of(tags)) {
    const auto [element, attributes, text] = element_of(line);
    if (element == "compound") {
      kind = attribute(attributes, "kind");
      compound.clear();
    } else if (element == "member" || element == "/member") {
      in_member = element == "member";
    } else if (element == "name") {
      (in_member ? member : compound) = text;
    } else if (element == "filename" && (kind == "class" || kind == "struct")) {
      addresses_[compound] = text;
      bases_[compound];
    } else if (element == "base") {
      bases_[compound].push_back(text.substr(0, text.find('<')));
    } else if (element == "anchorfile") {
      file = text;
    } else if (kind == "file") {
      continue;  // its members are listed in their namespace or class too
    } else if (element == "anchor" && in_member) {
      addresses_.try_emplace(compound + "::" + member, file + "#" + text);
      if (kind != "namespace") owners_[member].push_back(compound);
    } else if (element == "enumvalue") {
      addresses_.try_emplace(compound + "::" + member + "::" + text,
                             attribute(attributes, "file") + "#" + attribute(attributes, "anchor"));
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
