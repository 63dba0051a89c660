// SPDX-License-Identifier: MIT
// Findings: what the checks reported of a program's kernels, for its page.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "checks/race.h"

namespace d2l::emulator::report_page {

class Findings {
 public:
  /// Adds the lines of a launch's reports; the races are among them.
  void add(const std::string& reports, const std::vector<Race>& races);
  /// The section; empty if nothing was reported.
  [[nodiscard]] std::string html() const;
  /// The lines of a file, by its name, at which something was reported.
  [[nodiscard]] std::set<int> lines_of(const std::string& file) const;
  /// What was reported at a line, as links to the section.
  [[nodiscard]] std::string links(const std::string& file, int line) const;

 private:
  struct Finding {
    std::string text;
    std::string file;  ///< the place in the text; empty if it has none
    int line = 0;
    std::vector<Race> races;  ///< one, or none
  };
  std::vector<Finding> findings_;
  std::uint64_t more_ = 0;
};

/// The two threads of a race on a time line, and where a barrier is missing.
std::string race_svg(const Race& race);
/// The same in words, and what to do.
std::string race_description(const Race& race);

}  // namespace d2l::emulator::report_page
