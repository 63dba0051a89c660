// SPDX-License-Identifier: MIT
// Configures and builds a preset with CMake.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/root.h"

namespace d2l::runner {

/// How a build ended.
enum class Built { whole, broken, interrupted };
/// How to build: whether to continue with other targets after an error, and a function that stops the build when it
/// returns true.
struct Attempt {
  bool keep_going = false;
  std::function<bool()> interrupted;
};

/// A configured preset, in the folder build/NAME of the checkout.
class Build {
 public:
  /// Configures `preset` if it is not configured yet; Stop with the first error when that fails.
  explicit Build(const std::string& preset);

  [[nodiscard]] const std::filesystem::path& folder() const noexcept { return folder_; }

  /// The output of the last build.
  [[nodiscard]] std::filesystem::path log() const { return folder_ / "build.log"; }

  using Targets = std::vector<std::string>;
  /// Builds the targets, or all when there are none.
  [[nodiscard]] Built attempt(const Targets& targets, const std::string& title, const Attempt& how = {}) const;
  /// The number of files to make, as ninja counts them; 0 with make.
  [[nodiscard]] int steps_left(const Targets& targets) const;
  /// The same as attempt(); Stop with the first error when that fails.
  void make(const Targets& targets, const std::string& title) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace d2l::runner
