// SPDX-License-Identifier: MIT
// The report of the kernels' counts, and where the reports of launches go that check_kernels() checks.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "d2l/kernel_report.h"

namespace d2l::emulator {

/// True if D2L_KERNEL_REPORT is set: kernels are counted, and a table goes to standard error when the process ends.
bool counts_kernels();
/// Adds the counts of a launch to those of its kernel, if counts_kernels().
void note_counts(const KernelRun& run);

/// The reports of some launches, in the order in which these ended.
class FoundReports {
 public:
  void add(const std::string& text) {
    const std::lock_guard lock(mutex_);
    text_ += text;
    if (!text_.ends_with('\n')) text_ += '\n';
  }
  [[nodiscard]] std::string text() {
    const std::lock_guard lock(mutex_);
    return text_;
  }

 private:
  std::mutex mutex_;
  std::string text_;
};

/// Those of the check_kernels() that this thread is in; null outside of it.
const std::shared_ptr<FoundReports>& reports_of_this_thread() noexcept;

}  // namespace d2l::emulator
