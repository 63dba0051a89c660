// SPDX-License-Identifier: MIT
// Outputs as HTML: one block where every configuration shows the same, else a tab each.
#pragma once

#include <string>
#include <vector>

#include "captures.h"

namespace d2l::weaver {

/// What the captures show for a cell; empty when nothing. `prefix` begins every id in it, and is unique on the page.
std::string outputs_of_cell(const std::vector<Capture>& captures, int cell, const std::string& prefix);
/// Outputs, one after the other.
std::string outputs_html(const std::vector<Output>& outputs, const std::string& prefix);
/// A picture as a part of a page: it says what it shows, and its ids begin with `prefix`.
std::string embedded_svg(const std::string& svg, const std::string& alternative, const std::string& prefix);
/// Where and when each capture was made: a paragraph each.
std::string provenance_html(const std::vector<Capture>& captures);

}  // namespace d2l::weaver
