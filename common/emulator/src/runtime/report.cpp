// SPDX-License-Identifier: MIT
#include "runtime/report.h"

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string_view>
#include <utility>

#include "d2l/kernel_checks.h"
#include "ledger/kernel_sums.h"
#include "order/timeline.h"
#include "runtime/device.h"

namespace d2l::emulator {
namespace {

struct Report {
  std::mutex mutex;
  detail::KernelSums kernels;
};

void print_report();

Report& report() {
  static auto* const made = [] {
    std::atexit(print_report);
    return new Report;
  }();
  return *made;
}

void print_report() {
  std::fflush(stdout);
  const std::lock_guard lock(report().mutex);
  std::fputs(report().kernels.table().c_str(), stderr);
}

thread_local std::shared_ptr<FoundReports> reports;

/// Collects the reports of this thread's launches while it is in scope.
class Collecting {
 public:
  Collecting() : before_(std::exchange(reports, std::make_shared<FoundReports>())) { timeline().keep(true); }
  ~Collecting() {
    timeline().keep(false);
    reports = before_;
  }
  Collecting(const Collecting&) = delete;
  Collecting& operator=(const Collecting&) = delete;

 private:
  std::shared_ptr<FoundReports> before_;
};

}  // namespace

bool counts_kernels() {
  static const bool on = [] {
    const char* const text = std::getenv("D2L_KERNEL_REPORT");
    return text != nullptr && !std::string_view(text).empty() && std::string_view(text) != "0";
  }();
  return on;
}

void note_counts(const KernelRun& run) {
  if (!counts_kernels()) return;
  const std::lock_guard lock(report().mutex);
  report().kernels.add(run);
}

const std::shared_ptr<FoundReports>& reports_of_this_thread() noexcept { return reports; }

}  // namespace d2l::emulator

namespace d2l {

std::string check_kernels(const std::function<void()>& work) {
  const emulator::Collecting collecting;
  work();
  for (int i = 0; i < emulator::device_count(); ++i) emulator::device_at(i).synchronize();
  return emulator::reports_of_this_thread()->text();
}

}  // namespace d2l
