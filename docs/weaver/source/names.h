// SPDX-License-Identifier: MIT
// The public names, and the address of each in the API reference, from Doxygen's tag file.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace d2l::weaver {

/// Addresses by name. Names of d2l are found with and without their namespace.
class Names {
 public:
  Names() = default;
  /// Reads the text of a tag file; std::runtime_error if it is not one.
  explicit Names(const std::string& tags);

  /// The address of a name that is not a member: "ones", "nn::Linear", "Direction::device_to_host", "d2l::Tensor".
  [[nodiscard]] std::optional<std::string> find(const std::string& name) const;
  /// Whether a name is a class.
  [[nodiscard]] bool is_class(const std::string& name) const;
  /// The address of a member of a class or of its bases.
  [[nodiscard]] std::optional<std::string> find_member(const std::string& type, const std::string& member) const;
  /// The address of a member when its class is unknown: Tensor's member, otherwise the member of the only class that
  /// has one of this name.
  [[nodiscard]] std::optional<std::string> find_member(const std::string& member) const;

 private:
  [[nodiscard]] std::optional<std::string> full_name(const std::string& name) const;

  std::map<std::string, std::string> addresses_;
  std::map<std::string, std::vector<std::string>> bases_;   ///< of each class
  std::map<std::string, std::vector<std::string>> owners_;  ///< the classes that have a member of this name
};

}  // namespace d2l::weaver
