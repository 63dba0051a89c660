// SPDX-License-Identifier: MIT
#include "build/test_report.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <numeric>
#include <regex>
#include <sstream>

namespace d2l::runner {
namespace {

std::string attribute(const std::string& element, const std::string& name) {
  const std::string before = " " + name + "=\"";
  const std::size_t begin = element.find(before);
  if (begin == std::string::npos) return {};
  return element.substr(begin + before.size(), element.find('"', begin + before.size()) - begin - before.size());
}

std::string unescaped(std::string text) {
  const std::pair<const char*, const char*> entities[] = {
      {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&apos;", "'"}, {"&amp;", "&"}};
  for (const auto& [entity, character] : entities) {
    for (std::size_t at = 0; (at = text.find(entity, at)) != std::string::npos; ++at) {
      text.replace(at, std::string(entity).size(), character);
    }
  }
  return text;
}

/// Why a test was skipped, from its output: "Skipped: REASON", or the line after GoogleTest's "Skipped".
std::string reason(const std::string& test) {
  std::istringstream lines(unescaped(test));
  bool next = false;
  for (std::string line; std::getline(lines, line);) {
    if (next && !line.empty()) return line;
    const std::size_t at = line.find("Skipped: ");
    if (at != std::string::npos) return line.substr(at + std::string("Skipped: ").size());
    next = line.ends_with(": Skipped");
  }
  return "no reason given";
}

}  // namespace

TestReport read_report(const std::filesystem::path& file) {
  std::ifstream in(file);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  TestReport report;
  const std::string begins = "<testcase ";
  for (std::size_t at = text.find(begins); at != std::string::npos;) {
    const std::size_t next = text.find(begins, at + 1);
    const std::string test = text.substr(at, next == std::string::npos ? next : next - at);
    const std::string status = attribute(test, "status");
    if (status == "run") {
      ++report.passed;
    } else if (test.find("<skipped") != std::string::npos) {
      ++report.skipped[reason(test)];
    } else {
      report.failed.push_back(attribute(test, "name"));
    }
    at = next;
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
