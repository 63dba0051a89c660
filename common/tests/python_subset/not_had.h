// SPDX-License-Identifier: MIT
// What of PyTorch this library does not have; cases that use it are passed over by these names.
#pragma once

#include <string>

namespace python_subset {

/// Whether `name`, as Unsupported says it, is on the list.
bool is_listed_as_not_had(const std::string& name);

}  // namespace python_subset
