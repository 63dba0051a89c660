// SPDX-License-Identifier: MIT
// A control group of the kernel, version 2 or 1, which counts all memory of its processes: also of their files without
// a name, page tables, and descriptors in flight.
#pragma once

#include <cstdint>
#include <string>

namespace d2l::grading {

class ControlGroup {
 public:
  /// The folder in which the calling process can make groups; empty when it cannot.
  static std::string find_place();

  /// Makes a group of `bytes` in a folder of find_place(). An empty `place` makes none, and the functions do nothing.
  /// Throws std::system_error when the kernel refuses.
  ControlGroup(const std::string& place, std::uint64_t bytes);
  /// Removes the group, whose processes must have ended.
  ~ControlGroup();
  ControlGroup(const ControlGroup&) = delete;
  ControlGroup& operator=(const ControlGroup&) = delete;

  /// Moves the calling process into the group. Throws std::system_error when the kernel refuses.
  void enter() const;
  /// Whether the kernel ended a process because the group had used its memory.
  [[nodiscard]] bool exceeded() const;

 private:
  std::string folder_;
};

}  // namespace d2l::grading
