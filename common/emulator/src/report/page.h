// SPDX-License-Identifier: MIT
// Page: the report of a program's kernels as one HTML file, which needs no other file and no script.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ledger/kernel_sums.h"
#include "report/findings.h"

namespace d2l::emulator::report_page {

/// The launches of a kernel with the same grid and block, added up.
struct Shape {
  KernelRun run;
  std::uint64_t launches = 0;
};

/// All launches of a kernel. Only its first shapes are kept one by one.
struct Kernel {
  std::string name;
  std::vector<Shape> shapes;
  std::uint64_t other_launches = 0;
};

class Page {
 public:
  /// Adds a launch, which a line of `file` has made.
  void add(const KernelRun& run, const std::string& file);
  /// Adds what the checks reported of a launch.
  void add_reports(const std::string& text, const std::vector<Race>& races) { findings_.add(text, races); }
  [[nodiscard]] std::string html(const std::string& program) const;

 private:
  void add_shape(const KernelRun& run);

  detail::KernelSums sums_;
  Findings findings_;
  std::vector<Kernel> kernels_;               ///< in the order of sums_
  std::map<std::string, std::string> files_;  ///< the paths of files with launches, by name
};

}  // namespace d2l::emulator::report_page
