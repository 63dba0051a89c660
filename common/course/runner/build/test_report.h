// SPDX-License-Identifier: MIT
// The summary of CTest's JUnit report.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace d2l::runner {

/// The results of a run of CTest.
struct TestReport {
  int passed = 0;
  std::vector<std::string> failed;     ///< the names of the tests
  std::map<std::string, int> skipped;  ///< number of tests for each reason
};

/// Reads the report that ctest --output-junit wrote.
TestReport read_report(const std::filesystem::path& file);
/// The failed tests, the reasons for skipping, and a last line "12 passed, 0 failed, 3 skipped".
std::string summary(const TestReport& report);

}  // namespace d2l::runner
