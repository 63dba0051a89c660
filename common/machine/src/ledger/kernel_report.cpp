// SPDX-License-Identifier: MIT
#include "d2l/kernel_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "ledger/kernel_sums.h"

namespace d2l {
namespace detail {
namespace {

constexpr std::array column_widths{9, 9, 8, 8, 6, 9, 8, 9};
constexpr std::ptrdiff_t max_requests_of_line = 6;

double ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::string counted(std::uint64_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string row(const std::string& place, const LineCounts& at) {
  std::string text = fmt::format("  {:<24}", place);
  const auto texts = count_texts(at);
  for (std::size_t i = 0; i < texts.size(); ++i) text += fmt::format(" {:>{}}", texts[i], column_widths[i]);
  return text + "\n";
}

/// "limited by threads": what allows no more blocks.
std::string limits(const Occupancy& resident) {
  std::string text;
  const auto add = [&](unsigned limit, const char* what) {
    if (limit == resident.blocks) text += (text.empty() ? "limited by " : " and ") + std::string(what);
  };
  add(resident.by_blocks, "the number of blocks");
  add(resident.by_threads, "threads");
  add(resident.by_shared_memory, "shared memory");
  return text;
}

std::string part(const KernelRun& run) {
  std::string text = fmt::format("{}, grid ({}, {}, {}), block ({}, {}, {}): {}\n", run.name, run.grid[0], run.grid[1],
                                 run.grid[2], run.block[0], run.block[1], run.block[2], size_text(run.counts));
  for (const std::string& line : step_texts(run)) text += fmt::format("  {}\n", line);
  text += fmt::format("  {:<24}", "line");
  for (std::size_t i = 0; i < count_columns.size(); ++i) {
    text += fmt::format(" {:>{}}", count_columns[i], column_widths[i]);
  }
  text += "\n";
  for (const LineCounts& line : run.counts.lines) text += row(fmt::format("{}:{}", line.file, line.line), line);
  return text + row("all", run.counts);
}

}  // namespace

std::array<std::string, 8> count_texts(const LineCounts& at) {
  const std::uint64_t requests = at.load_requests + at.store_requests;
  const std::uint64_t sectors = at.load_sectors + at.store_sectors;
  const double used = 100 * ratio(at.load_bytes + at.store_bytes, 32 * sectors);
  const std::uint64_t accesses = requests + at.shared_requests;
  return {std::to_string(requests),
          std::to_string(sectors),
          fmt::format("{:.2f}", ratio(sectors, requests)),
          fmt::format("{:.0f} %", used),
          fmt::format("{:.1f}", ratio(at.active_lanes, accesses)),
          std::to_string(at.shared_requests),
          fmt::format("{:.2f}", ratio(at.shared_passes, at.shared_requests)),
          std::to_string(at.atomics)};
}

std::string size_text(const KernelCounts& counts) {
  std::string text = fmt::format("{}, {}, {}, {} of {} warps diverge", counted(counts.blocks, "block"),
                                 counted(counts.threads, "thread"), counted(counts.barriers, "barrier"),
                                 counts.divergent_warps, counts.warps);
  if (counts.matrix_products > 0) {
    text += fmt::format("; tensor cores: {} with {} multiply-adds", counted(counts.matrix_products, "product"),
                        counts.matrix_multiply_adds);
  }
  return text;
}

std::array<std::string, 2> step_texts(const KernelRun& run) {
  const KernelCounts& counts = run.counts;
  const Occupancy resident = residency(run);
  return {
      fmt::format("{}, {:.1f} lanes in each; the longest warp {}, the longest block {}; {} and {} access no memory",
                  counted(counts.steps, "step"), ratio(counts.lane_steps, counts.steps), counts.longest_warp,
                  counts.longest_block, counted(counts.idle_threads, "thread"), counted(counts.idle_blocks, "block")),
      counts.warp_size == 32
          ? fmt::format("a multiprocessor holds {} or fewer at once, {} of 64 warps ({})",
                        counted(resident.blocks, "block"), resident.warps, limits(resident))
          : fmt::format("warps of {} lanes; how many blocks a multiprocessor holds is known for 32", counts.warp_size)};
}

void add_counts(KernelCounts& to, const KernelCounts& from) {
  add_line(to, from);
  to.blocks += from.blocks;
  to.threads += from.threads;
  to.warps += from.warps;
  to.warp_size = from.warp_size;
  to.barriers += from.barriers;
  to.divergent_warps += from.divergent_warps;
  to.steps += from.steps;
  to.lane_steps += from.lane_steps;
  to.longest_warp = std::max(to.longest_warp, from.longest_warp);
  to.longest_block = std::max(to.longest_block, from.longest_block);
  to.idle_threads += from.idle_threads;
  to.idle_blocks += from.idle_blocks;
  to.shared_bytes = std::max(to.shared_bytes, from.shared_bytes);
  to.matrix_products += from.matrix_products;
  to.matrix_multiply_adds += from.matrix_multiply_adds;
  for (const LineCounts& line : from.lines) {
    const auto same = [&](const LineCounts& one) { return one.line == line.line && one.file == line.file; };
    const auto found = std::find_if(to.lines.begin(), to.lines.end(), same);
    if (found == to.lines.end()) {
      to.lines.push_back(line);
    } else {
      add_line(*found, line);
    }
  }
  for (const WarpRequest& request : from.requests) add_request(to.requests, request);
}

void add_request(std::vector<WarpRequest>& to, const WarpRequest& request) {
  const auto of_line = [&](const WarpRequest& one) { return one.line == request.line && one.file == request.file; };
  const auto same = [&](const WarpRequest& one) {
    return of_line(one) && one.shared == request.shared && one.store == request.store && one.array == request.array;
  };
  const auto known = std::find_if(to.begin(), to.end(), same);
  if (known != to.end()) {
    if (request.cost > known->cost) *known = request;
  } else if (std::count_if(to.begin(), to.end(), of_line) < max_requests_of_line) {
    to.push_back(request);
  }
}

void add_line(LineCounts& to, const LineCounts& from) {
  to.load_requests += from.load_requests;
  to.store_requests += from.store_requests;
  to.load_sectors += from.load_sectors;
  to.store_sectors += from.store_sectors;
  to.load_bytes += from.load_bytes;
  to.store_bytes += from.store_bytes;
  to.shared_requests += from.shared_requests;
  to.shared_passes += from.shared_passes;
  to.active_lanes += from.active_lanes;
  to.atomics += from.atomics;
  to.shared_atomics += from.shared_atomics;
}

void KernelSums::add(const KernelRun& run) {
  const auto found = std::find_if(sums_.begin(), sums_.end(), [&](const Sum& sum) { return sum.run.name == run.name; });
  if (found == sums_.end()) {
    sums_.push_back({run, 1});
  } else {
    add_counts(found->run.counts, run.counts);
    ++found->launches;
  }
}

std::string KernelSums::table() const {
  std::string text;
  for (const Sum& sum : sums_) {
    if (sum.launches > 1) text += fmt::format("{} launches, all together:\n", sum.launches);
    text += part(sum.run) + '\n';
  }
  return text;
}

}  // namespace detail

Occupancy residency(const KernelRun& run) {
  const unsigned threads = std::clamp(run.block[0] * run.block[1] * run.block[2], 1U, 1024U);
  return occupancy(multiprocessor_limits("9.0"), threads, 0, run.counts.shared_bytes);
}

KernelCounts counts_of(const std::vector<LedgerEntry>& entries) {
  KernelCounts counts;
  for (const LedgerEntry& entry : entries) {
    if (entry.kernel && entry.kernel->counted) detail::add_counts(counts, entry.kernel->counts);
  }
  return counts;
}

std::string kernel_report(const std::vector<LedgerEntry>& entries) {
  detail::KernelSums sums;
  for (const LedgerEntry& entry : entries) {
    if (entry.kernel && entry.kernel->counted) sums.add(*entry.kernel);
  }
  return sums.table();
}

std::string kernel_report(const TransferLedger& ledger) { return kernel_report(ledger.entries()); }

}  // namespace d2l
