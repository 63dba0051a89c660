// SPDX-License-Identifier: MIT
// The open ranges of this thread.
#pragma once

#include <string>

namespace d2l::detail {

/// Their names, the outermost first, separated by "/"; empty if none is open.
const std::string& range_of_thread() noexcept;

}  // namespace d2l::detail
