// SPDX-License-Identifier: MIT
// A timeline as an SVG picture.
#pragma once

#include <string>
#include <vector>

#include "d2l/transfers.h"

namespace d2l::detail {

std::string draw_timeline(const std::vector<LedgerEntry>& entries, const std::string& label);

}  // namespace d2l::detail
