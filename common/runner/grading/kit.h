// SPDX-License-Identifier: MIT
// What submissions are compiled against, linked with and judged by: copied out of the checkout, so that nothing else of
// it need be readable.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "results.h"
#include "sandbox.h"

namespace d2l::grading {

/// An exercise that is graded.
struct Check {
  std::string name;                            ///< "1_gpus/3_frobenius_log"
  std::filesystem::path include;               ///< the folder of exercise.h
  std::vector<std::filesystem::path> objects;  ///< the compiled check
  std::filesystem::path judge;                 ///< the program that draws and judges
  std::filesystem::path inputs;                ///< the folder of the drawn case
  ExerciseResult blank;                        ///< its number, title and items, with no points yet
  std::string fingerprint;                     ///< of what a verdict depends on beside the submission, seed and devices
};

/// The tools of a grading.
class Kit {
 public:
  /// Copies what the build in `build` of the checkout `course` describes into the folder `place`.
  Kit(const std::filesystem::path& course, const std::filesystem::path& build, const std::filesystem::path& place);

  /// Takes the instructor's own checks from `folder`, where CHAPTER/NAME/check.cpp stands for the course's check of
  /// that exercise; beside one for a new exercise stands its exercise.h. Stop when one does not compile.
  void take_checks(const std::filesystem::path& folder, const Sandbox& sandbox);
  /// Links each check's judge, asks it for its items, and lets it draw its case from `seed`.
  void prepare(const Sandbox& sandbox, std::uint64_t seed, const std::string& virtual_gpus);

  /// The command that compiles and links `source` into `program`, both in the working folder.
  [[nodiscard]] std::vector<std::string> compilation(const Check& check, const std::string& source,
                                                     const std::string& program) const;
  /// What that command must be able to read.
  [[nodiscard]] std::vector<std::filesystem::path> readable(const Check& check) const;

  [[nodiscard]] const std::vector<Check>& checks() const { return checks_; }
  [[nodiscard]] const std::string& version() const { return version_; }

 private:
  [[nodiscard]] std::filesystem::path keep(const std::filesystem::path& file, const std::string& folder);
  void keep_header(const std::string& name, const std::filesystem::path& header);
  void take_check(const std::string& name, const std::filesystem::path& folder, const Sandbox& sandbox);
  [[nodiscard]] std::vector<std::string> compiler_with_flags() const;
  [[nodiscard]] std::string fingerprint_of(const Check& check) const;
  void link_judge(Check& check, const Sandbox& sandbox) const;
  void ask_judge(Check& check, const Sandbox& sandbox, std::uint64_t seed, const std::string& virtual_gpus) const;

  std::filesystem::path course_;
  std::filesystem::path place_;
  std::string version_;
  std::string compiler_;
  std::vector<std::string> flags_;
  std::vector<std::string> link_flags_;
  std::vector<std::filesystem::path> objects_;
  std::vector<std::filesystem::path> archives_;
  std::vector<std::string> libraries_;
  std::vector<Check> checks_;
  std::string fingerprint_;
  int kept_ = 0;
};

}  // namespace d2l::grading
