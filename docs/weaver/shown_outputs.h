// SPDX-License-Identifier: MIT
// What a finished page shows, held against the references of the lessons, byte for byte.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace d2l::weaver {

/// The outputs of each cell that has any, in order, in the form of a reference: "> first line", "| other lines",
/// "[picture: …]", "[measured: label]". What a measured value is, is left out.
using ShownCells = std::vector<std::vector<std::string>>;

/// Of a reference, chapters/*/expected/*.txt.
ShownCells shown_in_reference(const std::string& text);
/// Of a page, for one configuration.
ShownCells shown_on_page(const std::string& page, const std::string& configuration);

/// Compares every lesson's page in the folder `site` with its references; says what differs. 0, 1 when something
/// differs, or 77 when there is no site.
int compare_site(const std::filesystem::path& root, const std::filesystem::path& site);

}  // namespace d2l::weaver
