// SPDX-License-Identifier: MIT
// What the checks report about functions for matrices.
#include <fmt/format.h>

#include "checks/checker.h"

namespace d2l::emulator {

void Checker::report_missing_lanes(const Block& of, const Thread& caller, LaneBits lanes, const char* function) {
  const OwnCode own;
  const unsigned begin = caller.warp() * warp_size();
  for (unsigned lane = 0; lane < warp_size(); ++lane) {
    if (has_lane(lanes, lane)) continue;
    const bool exists = begin + lane < of.threads.size();
    if (exists && of.threads[begin + lane].stopped) return;  // a consequence of what is reported
    if (!reports_.is_new("missing lane", caller.place.file + caller.place.line)) return;
    reports_.add(
        FaultKind::check,
        fmt::format("missing lane at {}: kernel {}, {}, {} calls {}, which all 32 lanes of a warp must execute, but "
                    "lane {} {}",
                    place_text(caller.place), worker_.launch->name, worker_.block_text(of.number),
                    worker_.thread_text(caller.number), function, lane,
                    exists ? fmt::format("({}) has ended", worker_.thread_text(begin + lane))
                           : fmt::format("does not exist: the block has {} threads", of.threads.size())));
    return;
  }
}

void Checker::report_argument(FaultKind fault, const char* kind, const char* detail, const void* caller) {
  if (reports_.is_new(kind, caller)) reports_.add(fault, fmt::format("{}: {}", describe(kind, caller), detail));
}

}  // namespace d2l::emulator
