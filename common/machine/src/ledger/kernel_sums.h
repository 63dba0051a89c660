// SPDX-License-Identifier: MIT
// KernelSums: the counts of kernels, added up by the kernel's name, as a table; add_line(): those of a line.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "d2l/kernel_report.h"

namespace d2l::detail {

/// Adds the counts of a line, or of the lines of a launch.
void add_line(LineCounts& to, const LineCounts& from);

/// The columns of the table after the line, and the text in each for a line's counts.
constexpr std::array<const char*, 8> count_columns{"requests", "sectors", "each",   "used",
                                                   "lanes",    "shared",  "passes", "atomics"};
std::array<std::string, 8> count_texts(const LineCounts& at);
/// The two lines about a kernel's steps and about how many of its blocks a multiprocessor holds.
std::array<std::string, 2> step_texts(const KernelRun& run);
/// "3 blocks, 384 threads, 0 barriers, 0 of 12 warps diverge"
std::string size_text(const KernelCounts& counts);

/// Adds the counts of a launch to those of others; keeps a few requests for each line.
void add_counts(KernelCounts& to, const KernelCounts& from);
/// Keeps a request if it is the most expensive one of its array at its line.
void add_request(std::vector<WarpRequest>& to, const WarpRequest& request);

class KernelSums {
 public:
  struct Sum {
    KernelRun run;  ///< the first launch, with the counts of all
    std::uint64_t launches = 0;
  };
  void add(const KernelRun& run);
  /// A part for each kernel, in the order of their first launches.
  [[nodiscard]] std::string table() const;
  [[nodiscard]] const std::vector<Sum>& sums() const noexcept { return sums_; }

 private:
  std::vector<Sum> sums_;
};

}  // namespace d2l::detail
