// SPDX-License-Identifier: MIT
// run_kernel(): executes all threads of one kernel launch on the calling thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "checks/race.h"
#include "d2l/kernel_report.h"
#include "d2l_emulator/vector_types.h"
#include "execution/allocation_table.h"
#include "order/accesses.h"

namespace d2l::emulator {

class Children;
struct LaunchPoint;

/// One launch of a kernel, ready to run.
struct KernelLaunch {
  std::string name;       ///< the kernel's expression, for example "add<float>"
  const char* file = "";  ///< the source of the launch
  int line = 0;
  dim3 grid;
  dim3 block;
  std::size_t dynamic_shared = 0;
  int device = 0;
  std::function<void()> body;        ///< the kernel's call with its arguments, executed once for each thread
  bool loops = false;                ///< `body` is a loop over the threads of thread_loop
  std::uint64_t seed = 0;            ///< the order of blocks and threads; 0: ascending
  bool checked = false;              ///< report wrong accesses; the kernel's file must be instrumented
  bool counted = false;              ///< count memory requests; the kernel's file must be instrumented
  bool cooperative = false;          ///< all blocks may meet at grid.sync()
  bool sampled = false;              ///< keep a request for each line; needs `counted`
  const void* parameters = nullptr;  ///< where the copies of the arguments are: a kernel may read them
  std::size_t parameter_bytes = 0;
  std::vector<PointerArgument> pointers;     ///< the arguments that are pointers
  std::vector<int> devices;                  ///< whose memory the kernel can use; empty: of all
  unsigned cores = 1;                        ///< that run its blocks
  bool compared = false;                     ///< its accesses are compared with those of other streams; needs `checked`
  unsigned depth = 0;                        ///< how many grids it is within
  std::shared_ptr<const LaunchPoint> point;  ///< where a kernel that is checked launched it; else null
  Children* children = nullptr;              ///< what its threads launch; null: they cannot
};

using d2l::KernelCounts;
using d2l::LineCounts;

/// Decides the error code that the runtime reports.
enum class FaultKind { illegal_address, misaligned_address, assertion, trap, stack_overflow, deadlock, check };

/// A fatal error of the device.
struct KernelFault {
  FaultKind kind = FaultKind::check;
  std::string text;  ///< the reports, several lines
};

struct KernelOutcome {
  std::optional<KernelFault> fault;
  KernelCounts counts;
  std::vector<MemoryAccesses> accesses;  ///< if the launch is compared
  std::vector<Race> races;               ///< those among the reports
};

/// Runs a kernel to its end or to its first fatal error. Two threads may call it at the same time. A launch that is
/// checked, counted or cooperative runs on one core.
KernelOutcome run_kernel(const KernelLaunch& launch, const AllocationTable& allocations);

/// True while this thread executes a kernel's body.
[[nodiscard]] bool in_kernel() noexcept;

}  // namespace d2l::emulator
