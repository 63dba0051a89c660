// SPDX-License-Identifier: MIT
// Operation: something that uses memory and has a place in the order of streams: a kernel, a copy, a free, or what the
// host accesses between two calls of the runtime.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "calls/call_site.h"
#include "d2l_emulator/language.h"
#include "order/accesses.h"
#include "order/vector_clock.h"

namespace d2l::emulator {

class FoundReports;

struct Operation {
  enum class Kind { kernel, copy, fill, allocation, release, host_function, host, other };

  Kind kind = Kind::other;
  CallSite site;                          ///< of a kernel: its launch
  std::string kernel;                     ///< its name
  std::vector<PointerArgument> pointers;  ///< its arguments that are pointers
  std::vector<MemoryAccesses> accesses;
  std::shared_ptr<FoundReports> reports;  ///< of check_kernels(); else null: standard error
  std::function<void()> then;             ///< called once all earlier operations are done, too

  // Set when it is submitted.
  std::string stream;  ///< "stream 1 (cudaStreamCreate at x.cu:3)"; empty for the host
  int device = 0;
  std::size_t agent = 0;
  std::uint64_t time = 0;
  VectorClock clock;                        ///< what comes before it, and itself
  std::shared_ptr<const VectorClock> host;  ///< what the host knew when it was submitted
  bool of_graph = false;                    ///< a node of a graph
  bool compared = true;                     ///< false: its order is not known in full
  bool done = false;

  /// True if this operation, which was submitted earlier, is before another one.
  [[nodiscard]] bool before(const Operation& later) const noexcept { return time <= later.clock.of(agent); }
};

/// Several pieces of work that take one place in the order: a conditional node with what its bodies do.
struct JointOperation {
  std::shared_ptr<Operation> operation;  ///< null if no timeline is kept
  std::vector<MemoryAccesses> accesses;

  void add(std::vector<MemoryAccesses> more) {
    if (operation == nullptr) return;
    for (MemoryAccesses& one : more) {
      // A loop does the same again and again.
      const auto known = std::find_if(accesses.begin(), accesses.end(), [&](const MemoryAccesses& each) {
        return each.allocation == one.allocation && covers(each.intervals, one.intervals);
      });
      if (known == accesses.end()) accesses.push_back(std::move(one));
    }
  }
};

}  // namespace d2l::emulator
