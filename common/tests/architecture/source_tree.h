// SPDX-License-Identifier: MIT
// For tests of the source tree: its files, their lines and what they include.
#pragma once

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "temporary_folder.h"

namespace d2l::tests {

inline std::vector<std::string> lines_of(const std::filesystem::path& file) {
  std::istringstream text(contents(file));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

/// The files of the #include lines of a file.
inline std::vector<std::filesystem::path> includes_of(const std::filesystem::path& file) {
  static const std::regex include("\\s*#\\s*include\\s*[<\"]([^>\"]+)[>\"].*");
  std::vector<std::filesystem::path> included;
  for (const auto& line : lines_of(file)) {
    if (line.find("include") == std::string::npos) continue;
    if (std::smatch match; std::regex_match(line, match, include)) included.emplace_back(match[1].str());
  }
  return included;
}

inline bool is_source(const std::filesystem::path& path) {
  static const std::set<std::string> extensions{".h", ".cpp", ".cu", ".cuh"};
  return extensions.count(path.extension()) > 0;
}

/// The source files below `root / folder`, relative to `root / folder`.
inline std::vector<std::filesystem::path> sources(const std::filesystem::path& root, const std::string& folder) {
  std::vector<std::filesystem::path> files;
  if (!std::filesystem::is_directory(root / folder)) return files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
    if (entry.is_regular_file() && is_source(entry.path())) {
      files.push_back(entry.path().lexically_relative(root / folder));
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace d2l::tests
