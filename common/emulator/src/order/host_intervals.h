// SPDX-License-Identifier: MIT
// HostIntervals: which bytes of which allocations some code of the host accesses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "order/accesses.h"

namespace d2l::emulator {

class HostIntervals {
 public:
  void add(const std::shared_ptr<const Allocation>& allocation, const Interval& interval);
  [[nodiscard]] bool empty() const noexcept { return all_.empty(); }
  /// Returns all, and forgets them.
  std::vector<MemoryAccesses> take();

 private:
  struct Of {
    MemoryAccesses accesses;
    std::size_t limit = std::size_t{1} << 16;  ///< more intervals are joined
  };
  static void join(std::vector<Interval>& intervals);
  std::vector<Of> all_;
};

}  // namespace d2l::emulator
