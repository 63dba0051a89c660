// SPDX-License-Identifier: MIT
// Building: one of the presets, configured when it is not yet, built with progress and without noise.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace d2l::runner {

/// Where the checkout is: LEARN_ROOT, which the script sets, or the folder that this program was built from.
std::filesystem::path root();

/// A configured preset: the folder build/NAME of the checkout.
class Build {
 public:
  /// Configures `preset` if that has not been done; Stop with the first error and the log when it cannot be.
  explicit Build(const std::string& preset);

  [[nodiscard]] const std::string& preset() const noexcept { return preset_; }
  [[nodiscard]] const std::filesystem::path& folder() const noexcept { return folder_; }

  /// Builds targets, or all of them; Stop with the first error and the log when that fails.
  void make(const std::vector<std::string>& targets, const std::string& title) const;

 private:
  std::string preset_;
  std::filesystem::path folder_;
};

/// What can be built and used here.
struct Choice {
  std::string preset;     ///< "cpu" or "cuda"
  int physical_gpus = 0;  ///< those that the preset can use
  std::string remark;     ///< what stands in the way of a visible GPU, if anything does
};
/// The CUDA build where a GPU is visible and the toolkit is there, or `cuda` asks for it; Stop if that cannot be.
Choice choose(bool cuda);

}  // namespace d2l::runner
