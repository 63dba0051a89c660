// SPDX-License-Identifier: MIT
// The same results for different readers.
#pragma once

#include <filesystem>
#include <string>

#include "results.h"

namespace d2l::grading {

/// All of it, as JSON.
std::string json_report(const Results& results);
/// A test an item, as JUnit's XML, which build servers read.
std::string junit_report(const Results& results);
/// A page that needs nothing else, for a browser.
std::string html_report(const Results& results);
/// A line an item, as RFC 4180 has it; a field that a spreadsheet would take for a formula begins with an apostrophe.
std::string csv_report(const Results& results);
/// What Gradescope reads as results.json: one student's tests. What a student may see is visible; the case's seed is
/// not.
std::string gradescope_report(const Results& results, const StudentResult& student);

/// Writes Gradescope's file: `path` for one student; for several a folder of that name with a file for each.
void write_gradescope(const Results& results, const std::filesystem::path& path, const std::string& visibility);

/// The words for one item that brought no points: what was expected, found, and where; or what would be needed.
std::string explanation(const ItemResult& item);
/// "pass", "fail", "not verifiable", "not handed in", "not judged".
std::string verdict_words(const std::string& verdict);

}  // namespace d2l::grading
