// SPDX-License-Identifier: MIT
#include "counts/request_samples.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "checks/element_text.h"
#include "checks/regions.h"
#include "checks/source_lines.h"
#include "execution/current.h"
#include "execution/lanes.h"
#include "ledger/kernel_sums.h"

namespace d2l::emulator {
namespace {

/// The name of the array that has the address, and where in it the lanes' addresses are.
void describe_array(WarpRequest& to, const Worker& worker, std::uintptr_t address, std::uint32_t lower_half) {
  const void* const at = reinterpret_cast<const void*>(address);  // NOLINT(performance-no-int-to-ptr): an address
  const Region* const region = worker.regions->find(at);
  if (region == nullptr) return;
  const Allocation& allocation = *region->allocation;
  const ArrayName known = name_of_array(allocation, worker.launch->name, worker.launch->pointers);
  to.array = known.name.empty() ? allocation.name : known.name;
  to.element = known.element;
  for (std::size_t i = 0; !known.parameter && i + 1 < allocation.shape.dimensions; ++i) {
    to.lengths.at(i) = allocation.shape.lengths[i];
  }
  const auto begin = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(allocation.begin)) +
                     static_cast<std::uint32_t>(known.begin);
  to.begin = region->shared ? 0 : begin % 32;
  // The lanes' addresses are at most 2 GiB from the first one.
  const auto offset = static_cast<std::ptrdiff_t>(region->offset_of(at)) - known.begin;
  for (std::int64_t& lane : to.offsets) lane += offset - static_cast<std::int64_t>(lower_half);
}

}  // namespace

void RequestSamples::keep(const Worker& worker, const void* place, const MadeRequest& request) {
  const OwnCode own;
  WarpRequest& kept = by_place_[place];
  kept = {};
  kept.shared = request.event.shared();
  kept.store = request.event.store();
  kept.bytes = request.event.bytes();
  kept.warp_size = warp_size();
  kept.lanes = request.lanes;
  kept.cost = request.cost;
  const dim3& grid = worker.launch->grid;
  kept.block = {static_cast<unsigned>(request.block % grid.x), static_cast<unsigned>(request.block / grid.x % grid.y),
                static_cast<unsigned>(request.block / grid.x / grid.y)};
  kept.warp = request.warp;
  const std::uint32_t first = request.addresses[static_cast<unsigned>(std::countr_zero(request.lanes))];
  for_each_lane(request.lanes, [&](unsigned lane) {
    kept.offsets.at(lane) = std::int64_t{first} + static_cast<std::int32_t>(request.addresses[lane] - first);
  });
  describe_array(kept, worker, request.event.upper_half() << 32U | first, first);
}

std::vector<WarpRequest> RequestSamples::take(const KernelLaunch& launch) {
  std::vector<std::pair<const void*, WarpRequest>> ordered(by_place_.begin(), by_place_.end());
  by_place_.clear();
  std::ranges::sort(ordered, {}, [](const auto& one) { return one.first; });
  std::vector<WarpRequest> requests;
  for (auto& [place, request] : ordered) {
    const SourceLine source = line_in_launch(place, launch);
    request.file = source.file;
    request.line = source.line;
    detail::add_request(requests, request);
  }
  return requests;
}

}  // namespace d2l::emulator
