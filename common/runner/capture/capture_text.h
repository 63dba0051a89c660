// SPDX-License-Identifier: MIT
// What a lesson showed, as the text that is kept as its reference.
#pragma once

#include <string>
#include <vector>

namespace d2l::runner {

/// Makes the text of a file of cells: cells by number and title, so that an edit of the prose or of a line number
/// changes nothing; what was measured as its label, unit and range. ConfigurationError for a malformed file.
std::string render(const std::string& json);

/// What is wrong with the measured values themselves: one sentence for each that lies outside its range.
std::vector<std::string> values_out_of_range(const std::string& json);

}  // namespace d2l::runner
