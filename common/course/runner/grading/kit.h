// SPDX-License-Identifier: MIT
// The tools of a grading: what submissions are compiled against, linked with and judged by, copied out of the checkout
// so that programs in the sandbox need not read the checkout.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "grading/reports/results.h"
#include "grading/sandbox/task.h"

namespace d2l::grading {

using Words = std::vector<std::string>;

/// An exercise that is graded.
struct Check {
  std::string name;                             ///< "1_gpus/3_frobenius_log"
  std::string source;                           ///< the file that students hand in: "exercise.cpp" or "exercise.cu"
  std::filesystem::path include;                ///< the folder of exercise.h
  std::string stub;                             ///< the source that students begin with
  std::map<std::string, std::string> supplied;  ///< the files beside the stub that it includes, but exercise.h
  Words objects;                                ///< the compiled check
  std::filesystem::path judge;                  ///< the program that draws a case and judges; empty until it is linked
  std::filesystem::path inputs;                 ///< the folder of the drawn case
  ExerciseResult blank;                         ///< its number, title and items, without points
  std::string fingerprint;  ///< of all that a verdict depends on besides the submission, seed and devices
};

class Kit {
 public:
  /// Copies what the build in `build` of the checkout `course` describes in grading_kit.json into `folder`.
  Kit(std::filesystem::path course, const std::filesystem::path& build, std::filesystem::path folder);

  /// Copies a file into a subfolder of the kit, under a numbered name; the path of the copy.
  std::string keep(const std::filesystem::path& file, const std::string& subfolder);
  /// Copies the exercise.h of an exercise; the folder of the copy.
  std::filesystem::path keep_header(const std::string& exercise, const std::filesystem::path& header) const;

  /// The compiler with its flags and the library's headers.
  [[nodiscard]] Words compiler() const;
  /// The same with the options `first`, and those for the exercise and its language.
  [[nodiscard]] Words source_compiler(const Check& check, const Words& first) const;
  /// The commands that compile the submission in the working folder: a .cu file is translated for the emulator before.
  [[nodiscard]] std::vector<Words> compilation(const Check& check, const Words& first) const;
  /// The command that links the compiled submission into `program`.
  [[nodiscard]] Words linking(const Check& check, const std::string& program) const;
  /// The command that links the judge of a check, which was compiled with a section for each function, into `program`.
  [[nodiscard]] Words judge_linking(const Check& check, const std::string& program) const;
  /// The files that these commands read.
  [[nodiscard]] Words readable(const Check& check) const;
  /// The folder of precompiled headers.
  [[nodiscard]] std::filesystem::path precompiled() const { return folder / "precompiled"; }
  /// Of all that a check's verdict depends on besides the submission, seed and devices.
  [[nodiscard]] std::string fingerprint_of(const Check& check) const;

  std::filesystem::path course;
  std::filesystem::path folder;
  std::string version;
  bool can_precompile = false;  ///< whether the compiler is GCC, which ignores precompiled headers that do not fit
  std::vector<Check> checks;

 private:
  void take_emulator(const std::filesystem::path& translator, const std::filesystem::path& library,
                     const Words& headers);
  [[nodiscard]] Words archives_for(const Check& check) const;

  std::string compiler_;
  Words flags_;
  Words link_flags_;
  Words objects_;
  std::string judge_object_;  ///< the main() of judges
  Words archives_;
  Words libraries_;
  Words emulator_flags_;
  Words thrust_;  ///< -isystem and its folder, unless the compiler looks there by itself
  std::string translator_;
  std::string emulator_;  ///< its library
  std::string fingerprint_;
  int kept_ = 0;
};

/// Whether a source file has kernels.
bool is_cuda(const std::string& source);

/// The limits of compiling and linking one program.
Limits compiling_limits();

}  // namespace d2l::grading
