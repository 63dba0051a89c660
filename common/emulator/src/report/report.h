// SPDX-License-Identifier: MIT
// The report of the kernels' counts, and where the reports of launches go that check_kernels() checks.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "d2l/kernel_report.h"
#include "execution/run_kernel.h"

namespace d2l::emulator {

/// True if kernels are counted for a report when the process ends: D2L_KERNEL_REPORT is set, for a table on standard
/// error, or writes_page().
bool counts_kernels();
/// True if D2L_KERNEL_REPORT_PAGE is set: the report goes to this file, as HTML.
bool writes_page();
/// Adds the counts of a launch that has ended to those of its kernel, and its reports to the page, if they are wanted.
void note_counts(const KernelRun& run, const KernelLaunch& launch, const KernelOutcome& outcome);

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

/// While it is in scope, this thread reports there: it does work that another thread has launched.
class ReportTo {
 public:
  explicit ReportTo(std::shared_ptr<FoundReports> reports);
  ~ReportTo();
  ReportTo(const ReportTo&) = delete;
  ReportTo& operator=(const ReportTo&) = delete;

 private:
  std::shared_ptr<FoundReports> before_;
};

}  // namespace d2l::emulator
