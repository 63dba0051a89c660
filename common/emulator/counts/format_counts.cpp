// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "execution/run_kernel.h"

namespace d2l::emulator {
namespace {

double ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::string row(const std::string& place, const LineCounts& at) {
  const std::uint64_t requests = at.load_requests + at.store_requests;
  const std::uint64_t sectors = at.load_sectors + at.store_sectors;
  const double used = 100 * ratio(at.load_bytes + at.store_bytes, 32 * sectors);
  return fmt::format("  {:<24} {:>9} {:>9} {:>8.2f} {:>6.0f} % {:>9} {:>8.2f} {:>9}\n", place, requests, sectors,
                     ratio(sectors, requests), used, at.shared_requests, ratio(at.shared_passes, at.shared_requests),
                     at.atomics);
}

}  // namespace

std::string format_counts(const KernelLaunch& launch, const KernelCounts& counts) {
  std::string text =
      fmt::format("{} <<<({}, {}, {}), ({}, {}, {})>>>: {} blocks, {} threads, {} barriers, {} of {} warps diverge\n",
                  launch.name, launch.grid.x, launch.grid.y, launch.grid.z, launch.block.x, launch.block.y,
                  launch.block.z, counts.blocks, counts.threads, counts.barriers, counts.divergent_warps, counts.warps);
  text += fmt::format("  {:<24} {:>9} {:>9} {:>8} {:>8} {:>9} {:>8} {:>9}\n", "line", "requests", "sectors", "each",
                      "used", "shared", "passes", "atomics");
  for (const LineCounts& line : counts.lines) text += row(fmt::format("{}:{}", line.file, line.line), line);
  return text + row("all", counts);
}

}  // namespace d2l::emulator
