// SPDX-License-Identifier: MIT
// Where, when and from which code a file of cells was captured.
#pragma once

#include <string>

namespace d2l::runner {

/// The SHA-256 of a lesson's code: its lines without indentation, blank lines and comments, but with the `// %%` that
/// part its cells. An edit of the prose changes nothing.
std::string code_fingerprint(const std::string& source);

/// "Linux x86-64, 2 cores (AMD EPYC)": the machine that this runs on.
std::string this_machine();

/// Adds `captured` to a file of cells: the day, the machine and, of the lesson's text `source`, the fingerprint; and to
/// each cell its number in the source. An empty `source` adds neither. ConfigurationError for a malformed file.
std::string with_provenance(const std::string& json, const std::string& source);

}  // namespace d2l::runner
