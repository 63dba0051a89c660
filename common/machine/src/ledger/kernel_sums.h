// SPDX-License-Identifier: MIT
// KernelSums: the counts of kernels, added up by the kernel's name, as a table; add_line(): those of a line.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "d2l/kernel_report.h"

namespace d2l::detail {

/// Adds the counts of a line, or of the lines of a launch.
void add_line(LineCounts& to, const LineCounts& from);

class KernelSums {
 public:
  void add(const KernelRun& run);
  /// A part for each kernel, in the order of their first launches.
  [[nodiscard]] std::string table() const;

 private:
  struct Sum {
    KernelRun run;  ///< the first launch, with the counts of all
    std::uint64_t launches = 0;
  };
  std::vector<Sum> sums_;
};

}  // namespace d2l::detail
