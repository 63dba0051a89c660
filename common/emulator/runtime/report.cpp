// SPDX-License-Identifier: MIT
#include "runtime/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace d2l::emulator {
namespace {

struct KernelSum {
  KernelLaunch first;
  KernelCounts counts;
  std::uint64_t launches = 0;
};

struct Report {
  std::mutex mutex;
  std::vector<KernelSum> kernels;
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
  for (const KernelSum& kernel : report().kernels) {
    if (kernel.launches > 1) fmt::print(stderr, "{} launches, all together:\n", kernel.launches);
    fmt::print(stderr, "{}\n", format_counts(kernel.first, kernel.counts));
  }
}

void add(LineCounts& to, const LineCounts& from) {
  to.load_requests += from.load_requests;
  to.store_requests += from.store_requests;
  to.load_sectors += from.load_sectors;
  to.store_sectors += from.store_sectors;
  to.load_bytes += from.load_bytes;
  to.store_bytes += from.store_bytes;
  to.shared_requests += from.shared_requests;
  to.shared_passes += from.shared_passes;
  to.atomics += from.atomics;
}

void add_all(KernelCounts& to, const KernelCounts& from) {
  add(to, from);
  to.blocks += from.blocks;
  to.threads += from.threads;
  to.warps += from.warps;
  to.barriers += from.barriers;
  to.divergent_warps += from.divergent_warps;
  for (const LineCounts& line : from.lines) {
    const auto same = [&](const LineCounts& one) { return one.line == line.line && one.file == line.file; };
    const auto found = std::ranges::find_if(to.lines, same);
    if (found == to.lines.end()) {
      to.lines.push_back(line);
    } else {
      add(*found, line);
    }
  }
}

}  // namespace

bool counts_kernels() {
  static const bool on = [] {
    const char* const text = std::getenv("D2L_KERNEL_REPORT");
    return text != nullptr && std::string_view(text) != "" && std::string_view(text) != "0";
  }();
  return on;
}

void note_counts(const KernelLaunch& launch, const KernelCounts& counts) {
  if (!launch.counted) return;
  const std::lock_guard lock(report().mutex);
  auto& kernels = report().kernels;
  const auto same = [&](const KernelSum& one) { return one.first.name == launch.name; };
  auto found = std::ranges::find_if(kernels, same);
  if (found == kernels.end()) {
    found = kernels.insert(kernels.end(), KernelSum{launch, {}, 0});
    found->first.body = nullptr;
  }
  add_all(found->counts, counts);
  ++found->launches;
}

}  // namespace d2l::emulator
