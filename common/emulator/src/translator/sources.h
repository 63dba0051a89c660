// SPDX-License-Identifier: MIT
// The files of a program: a CUDA source file and the headers of its own, translated.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "translate.h"

namespace d2l::emulator::translator {

/// A translated file and the files of the program that it includes.
struct TranslatedFile {
  std::string text;
  std::vector<std::filesystem::path> includes;
  bool uses_volatile = false;
  bool has_kernels = false;
  bool has_device_code = false;
  bool includes_runtime = false;       ///< by its name, so that the host's compiler has the qualifiers
  bool includes_hip = false;           ///< a header of HIP or of one of its libraries
  bool includes_hip_language = false;  ///< hip/hip_runtime.h, which only a compiler of HIP takes with kernels
  bool changed = false;                ///< the translation differs from the file
};

/// The files of a program by their absolute paths.
using TranslatedFiles = std::map<std::filesystem::path, const TranslatedFile*>;

/// True for a program of HIP: a .hip file, or one that includes headers of HIP and not those of CUDA.
bool is_hip(const std::filesystem::path& file, const TranslatedFiles& files);

/// Translates files, each once.
class Sources {
 public:
  /// Headers are looked for beside the file that includes them, if its #include is quoted, and in these folders.
  /// `shown` tells how messages name a file.
  explicit Sources(std::vector<std::filesystem::path> include_folders = {},
                   std::string (*shown)(const std::filesystem::path&) = nullptr);

  /// A file and all that it includes, directly or not, by their absolute paths. Throws std::runtime_error if the file
  /// cannot be read.
  TranslatedFiles add(const std::filesystem::path& file);

 private:
  const TranslatedFile& translated(const std::filesystem::path& file);
  [[nodiscard]] std::filesystem::path find(const Include& include, const std::filesystem::path& folder) const;

  std::vector<std::filesystem::path> include_folders_;
  std::string (*shown_)(const std::filesystem::path&);
  std::map<std::filesystem::path, TranslatedFile> files_;
};

}  // namespace d2l::emulator::translator
