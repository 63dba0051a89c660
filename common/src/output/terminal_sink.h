// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "output/output_sink.h"

namespace d2l::detail {

/// Prints each output after the prose and the code of its cell.
std::unique_ptr<OutputSink> make_terminal_sink();

}  // namespace d2l::detail
