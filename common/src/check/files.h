// SPDX-License-Identifier: MIT
// The case and the outcome as files of a folder: numbers and texts in JSON, tensors in safetensors.
#pragma once

#include <string>

#include "d2l/check.h"

namespace d2l::check {

/// Each writes into a folder that exists, or reads from one; ConfigurationError says which file is at fault, and why.
struct Files {
  static void write(const Inputs& inputs, const std::string& folder);
  static Inputs read_inputs(const std::string& folder);
  /// `error` is what run() threw; empty when it returned.
  static void write(const Outcome& outcome, const std::string& error, const std::string& folder);
  /// An outcome, and what run() threw. What it reads may be anything.
  static std::pair<Outcome, std::string> read_outcome(const std::string& folder);
};

}  // namespace d2l::check
