// SPDX-License-Identifier: MIT
// Names of Python and PyTorch that neither this library nor the evaluator supports.
#pragma once

#include <string>

namespace python_subset {

/// Whether not_supported.txt lists `name`, the text of an Unsupported. Cases that throw another one fail their test.
bool is_listed_as_not_supported(const std::string& name);

}  // namespace python_subset
