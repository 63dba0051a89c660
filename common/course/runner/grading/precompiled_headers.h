// SPDX-License-Identifier: MIT
// The headers that nearly all submissions include, compiled once for a grading.
#pragma once

#include <array>
#include <atomic>
#include <filesystem>

#include "grading/kit.h"
#include "grading/sandbox/sandbox.h"

namespace d2l::grading {

/// Compiles d2l/d2l.h as soon as a grading has compiled a few submissions with it; those that follow take its result.
class PrecompiledHeaders {
 public:
  /// `slots`: where the slots' working folders are.
  PrecompiledHeaders(const Kit& kit, const Sandbox& sandbox, std::filesystem::path slots);

  /// The options by which a submission for `check` takes the compiled headers; none until they are there, with another
  /// compiler than GCC, and where exercise.h does not include them. The slot has no working folder meanwhile.
  [[nodiscard]] Words options(const Check& check, int slot);

 private:
  struct Language {
    std::atomic<int> submissions = 0;
    std::atomic<bool> is_compiled = false;
  };

  bool compile(const Check& check, const std::filesystem::path& header, int slot) const;

  const Kit& kit_;
  const Sandbox& sandbox_;
  std::filesystem::path slots_;
  std::array<Language, 2> languages_;  ///< without kernels, and with them
};

}  // namespace d2l::grading
