// SPDX-License-Identifier: MIT
/// @file
/// The texts of the course, which models of language learn from.
#pragma once

#include <string>

namespace d2l {

/// The text of chapters/…/data/NAME.txt, which the build puts into the library; NOTICE says where it is from.
/// ValueError for another name.
std::string course_text(const std::string& name);

}  // namespace d2l
