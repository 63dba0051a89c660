// SPDX-License-Identifier: MIT
// The captured outputs of a program, one capture for each configuration.
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
  std::string label;  ///< of a measured value, or the alternative text of a picture

  bool operator==(const Output&) const = default;
};

/// One run of a program.
struct Capture {
  std::string configuration;  ///< "virtual2"
  std::string name;           ///< "two virtual GPUs"
  std::string when;           ///< "2026-11-22"
  std::string on;             ///< the machine
  std::vector<std::string> devices;
  std::string fingerprint;                   ///< of the code that ran
  bool stale = false;                        ///< the code has changed since
  std::map<int, std::vector<Output>> cells;  ///< by the number of the cell; by line in programs without cells
};

/// Reads a capture file; std::runtime_error with its name if it is malformed or does not say where it was captured.
Capture read_capture(const std::filesystem::path& file);

/// The captures of a lesson in the order of their tabs: those of the build, in `built`, then the newest of each
/// configuration of real GPUs, in the folders below `hardware`. If the fingerprint differs, a capture of the build is a
/// std::runtime_error, and one of a GPU is marked as stale.
std::vector<Capture> captures_of(const std::filesystem::path& built, const std::filesystem::path& hardware,
                                 const std::string& chapter, const std::string& section,
                                 const std::string& fingerprint);

}  // namespace d2l::weaver
