// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "output/output_sink.h"

namespace d2l::detail {

/// Collects the outputs and writes them to the JSON file `path` at the end, whole or not at all. ConfigurationError if
/// the file cannot be written.
std::unique_ptr<OutputSink> make_capture_sink(const std::string& path);

}  // namespace d2l::detail
