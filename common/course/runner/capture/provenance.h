// SPDX-License-Identifier: MIT
// Where, when and from which code a capture was made.
#pragma once

#include <string>

namespace d2l::runner {

/// The SHA-256 of a lesson's code: without indentation, blank lines and comments, with the `// %%` between its cells.
/// Edited prose does not change it.
std::string code_fingerprint(const std::string& source);

/// This machine: "Linux x86-64, 2 cores (AMD EPYC)".
std::string this_machine();

/// Adds `captured` to a capture: the day and the machine, and, unless `source` is empty, the checksum of the lesson's
/// text `source` and the number of each cell in it. ConfigurationError for a malformed capture.
std::string with_provenance(const std::string& json, const std::string& source);

}  // namespace d2l::runner
