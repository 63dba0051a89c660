// SPDX-License-Identifier: MIT
// What ./learn does with lessons, devices and tests; each returns the exit code.
#pragma once

#include <string>
#include <vector>

namespace d2l::runner {

/// Builds and runs a section, a chapter, or with an empty name everything; stops at the first that fails.
int run_lessons(const std::string& wanted, bool cuda);
/// Prints the lessons with their numbers here and in the book, and the exercises with the student's progress.
int list_course();
/// Builds and runs the program that describes the machine's devices.
int show_devices(bool cuda);
/// Builds everything and runs CTest, to which `arguments` go.
int run_tests(const std::vector<std::string>& arguments, bool cuda);
/// Makes the site, and opens it in a browser where there is one.
int make_docs();
/// Configures, and prints what there is.
int show_setup(bool cuda);

}  // namespace d2l::runner
