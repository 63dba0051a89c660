// SPDX-License-Identifier: MIT
// The case and the outcome as files of a folder: numbers and texts in JSON, tensors in safetensors.
#pragma once

#include <string>

#include "d2l/check.h"

namespace d2l::check {

/// Writes into, or reads from, an existing folder; a ConfigurationError names the file and the reason.
struct Files {
  static void write(const Inputs& inputs, const std::string& folder);
  static Inputs read_inputs(const std::string& folder);
  /// `error` is the exception of run(); empty if it returned.
  static void write(const Outcome& outcome, const std::string& error, const std::string& folder);
  /// An outcome and the exception of run(). The files are not trusted.
  static std::pair<Outcome, std::string> read_outcome(const std::string& folder);
};

}  // namespace d2l::check
