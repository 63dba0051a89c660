// SPDX-License-Identifier: MIT
#include "report/report.h"

#include <errno.h>
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <string_view>
#include <utility>

#include "base/atomic_file.h"
#include "d2l/kernel_checks.h"
#include "ledger/kernel_sums.h"
#include "order/timeline.h"
#include "report/page.h"
#include "runtime/device.h"

namespace d2l::emulator {
namespace {

struct Report {
  std::mutex mutex;
  detail::KernelSums kernels;
  report_page::Page page;
};

void end_report();

Report& report() {
  static auto* const made = [] {
    std::atexit(end_report);
    return new Report;
  }();
  return *made;
}

const char* variable(const char* name) {
  const char* const text = std::getenv(name);
  return text == nullptr || *text == '\0' ? nullptr : text;
}

const std::string& page_file() {
  static const auto& file = *new std::string([] {
    const char* const text = variable("D2L_KERNEL_REPORT_PAGE");
    return text == nullptr ? "" : text;
  }());
  return file;
}

bool prints_table() {
  static const bool on = [] {
    const char* const text = variable("D2L_KERNEL_REPORT");
    return text != nullptr && std::string_view(text) != "0";
  }();
  return on;
}

void end_report() {
  std::fflush(stdout);
  const std::lock_guard lock(report().mutex);
  if (prints_table()) std::fputs(report().kernels.table().c_str(), stderr);
  if (!writes_page()) return;
  try {
    detail::write_file("kernel report", page_file(), report().page.html(program_invocation_short_name));
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
  }
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

bool writes_page() {
  static const bool on = [] {
    if (page_file().empty()) return false;
    report();  // a program without a launch has a report, too
    return true;
  }();
  return on;
}

bool counts_kernels() { return prints_table() || writes_page(); }

void note_counts(const KernelRun& run, const KernelLaunch& launch, const KernelOutcome& outcome) {
  if (!counts_kernels()) return;
  const std::lock_guard lock(report().mutex);
  if (prints_table()) report().kernels.add(run);
  if (!writes_page()) return;
  report().page.add(run, launch.file);
  if (outcome.fault) report().page.add_reports(outcome.fault->text, outcome.races);
}

const std::shared_ptr<FoundReports>& reports_of_this_thread() noexcept { return reports; }

ReportTo::ReportTo(std::shared_ptr<FoundReports> to) : before_(std::exchange(reports, std::move(to))) {}
ReportTo::~ReportTo() { reports = before_; }

}  // namespace d2l::emulator

namespace d2l {

std::string check_kernels(const std::function<void()>& work) {
  const emulator::Collecting collecting;
  work();
  for (int i = 0; i < emulator::device_count(); ++i) emulator::device_at(i).synchronize();
  return emulator::reports_of_this_thread()->text();
}

}  // namespace d2l
