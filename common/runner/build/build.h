// SPDX-License-Identifier: MIT
// Building: one of the presets, configured when it is not yet, built with progress and without noise.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/root.h"

namespace d2l::runner {

/// How a build ended.
enum class Built { whole, broken, interrupted };
/// How to build: going on with other targets after an error; until `interrupted` says true, which it is asked often.
struct Attempt {
  bool keep_going = false;
  std::function<bool()> interrupted;
};

/// A configured preset: the folder build/NAME of the checkout.
class Build {
 public:
  /// Configures `preset` if that has not been done; Stop with the first error and the log when it cannot be.
  explicit Build(const std::string& preset);

  [[nodiscard]] const std::string& preset() const noexcept { return preset_; }
  [[nodiscard]] const std::filesystem::path& folder() const noexcept { return folder_; }

  /// What the last build said.
  [[nodiscard]] std::filesystem::path log() const { return folder_ / "build.log"; }

  using Targets = std::vector<std::string>;
  /// Builds targets, or all of them.
  [[nodiscard]] Built attempt(const Targets& targets, const std::string& title, const Attempt& how = {}) const;
  /// The same; Stop with the first error and the log when that fails.
  void make(const Targets& targets, const std::string& title) const;

 private:
  std::string preset_;
  std::filesystem::path folder_;
};

}  // namespace d2l::runner
