// SPDX-License-Identifier: MIT
#include "build/test_report.h"

#include <fmt/format.h>

#include <pugixml.hpp>
#include <string_view>

#include "base/text.h"

namespace d2l::runner {
namespace {

/// Why a test was skipped, from its output: "Skipped: REASON", or the line after GoogleTest's "Skipped".
std::string reason(const std::string& output) {
  bool next = false;
  for (const std::string& line : lines_of(output)) {
    if (next && !line.empty()) return line;
    const std::size_t at = line.find("Skipped: ");
    if (at != std::string::npos) return line.substr(at + std::string("Skipped: ").size());
    next = line.ends_with(": Skipped");
  }
  return "no reason given";
}

}  // namespace

TestReport read_report(const std::filesystem::path& file) {
  pugi::xml_document document;
  document.load_file(file.c_str());
  TestReport report;
  for (const auto& test : document.child("testsuite").children("testcase")) {
    if (test.attribute("status").value() == std::string_view("run")) {
      ++report.passed;
    } else if (test.child("skipped")) {
      ++report.skipped[reason(test.child_value("system-out"))];
    } else {
      report.failed.emplace_back(test.attribute("name").value());
    }
  }
  return report;
}

std::string summary(const TestReport& report) {
  std::string text;
  for (const auto& name : report.failed) text += fmt::format("FAILED   {}\n", name);
  int skipped = 0;
  for (const auto& [reason, count] : report.skipped) {
    text += fmt::format("skipped  {:>4}  {}\n", count, reason);
    skipped += count;
  }
  return text + fmt::format("{} passed, {} failed, {} skipped\n", report.passed, report.failed.size(), skipped);
}

}  // namespace d2l::runner
