// SPDX-License-Identifier: MIT
// What a program showed, in each configuration in which it was run.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace d2l::weaver {

/// One output of a cell.
struct Output {
  enum class Kind { text, measured, svg };
  Kind kind = Kind::text;
  std::string text;
  std::string label;  ///< what was measured, or the alternative text of a picture

  bool operator==(const Output&) const = default;
};

/// A run of a program.
struct Capture {
  std::string configuration;  ///< "virtual2"
  std::string name;           ///< "two virtual GPUs"
  std::string when;           ///< "2026-11-22"
  std::string on;             ///< the machine
  std::vector<std::string> devices;
  std::string fingerprint;                   ///< of the code that ran
  bool stale = false;                        ///< the code is another one now
  std::map<int, std::vector<Output>> cells;  ///< by the number of the cell, or in programs without cells by its line
};

/// Reads a file of cells; std::runtime_error, with the file's name, when it is none or says not where it is from.
Capture read_capture(const std::filesystem::path& file);

/// The captures of a lesson, in the order of their tabs: those that the build made, in `built`, then those of real
/// cards, in the folders below `hardware`, of each configuration the newest. std::runtime_error when one that the build
/// made is of another program than that of the fingerprint; those of cards are marked as stale.
std::vector<Capture> captures_of(const std::filesystem::path& built, const std::filesystem::path& hardware,
                                 const std::string& chapter, const std::string& section,
                                 const std::string& fingerprint);

}  // namespace d2l::weaver
