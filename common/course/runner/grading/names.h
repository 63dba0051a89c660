// SPDX-License-Identifier: MIT
// The names of students in the reports.
#pragma once

#include <string>
#include <vector>

namespace d2l::grading {

/// A student in all reports.
struct Name {
  std::string shown;  ///< one line of about 100 bytes at most
  std::string file;   ///< of letters, digits, - and _, for a file of the student's own
};

/// A name for each entry of a folder. All differ, also for people and file systems that do not tell upper-case letters
/// from lower-case ones: a number follows a name that had to be changed to one that is taken.
std::vector<Name> names_of(const std::vector<std::string>& entries);

}  // namespace d2l::grading
