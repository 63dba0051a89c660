// SPDX-License-Identifier: MIT
// Outputs as HTML: one block if all configurations show the same, otherwise a tab for each.
#pragma once

#include <string>
#include <vector>

#include "outputs/captures.h"

namespace d2l::weaver {

/// The outputs of a cell; empty if there are none. Every id in it begins with `prefix`, which is unique on the page.
std::string outputs_of_cell(const std::vector<Capture>& captures, int cell, const std::string& prefix);
/// The outputs in order.
std::string outputs_html(const std::vector<Output>& outputs, const std::string& prefix);
/// A picture for a page: with its alternative text, and with ids that begin with `prefix`.
std::string embedded_svg(const std::string& svg, const std::string& alternative, const std::string& prefix);
/// A paragraph for each capture: where and when it was made.
std::string provenance_html(const std::vector<Capture>& captures);

}  // namespace d2l::weaver
