// SPDX-License-Identifier: MIT
#include "runtime/report.h"

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string_view>

#include "ledger/kernel_sums.h"

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

}  // namespace d2l::emulator
