// SPDX-License-Identifier: MIT
// RequestSamples: for each instruction of a launch, the request of a warp that was kept as an example.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "counts/warp_log.h"
#include "d2l/warp_request.h"
#include "execution/worker.h"

namespace d2l::emulator {

/// A request that a warp has made.
struct MadeRequest {
  Event event;
  const Addresses& addresses;
  LaneBits lanes;
  unsigned cost;  ///< sectors or passes
  std::uint64_t block;
  unsigned warp;
};

/// Its memory is bounded by the number of instructions. keep() is called a few times for each.
class RequestSamples {
 public:
  void clear() { by_place_.clear(); }
  void keep(const Worker& worker, const void* place, const MadeRequest& request);
  /// Those of the launch, a few for each line; there are none afterwards.
  std::vector<WarpRequest> take(const KernelLaunch& launch);

 private:
  std::unordered_map<const void*, WarpRequest> by_place_;
};

}  // namespace d2l::emulator
