// SPDX-License-Identifier: MIT
// Children: what the threads of a running grid launch: kernels and copies, in streams of the device.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "d2l_emulator/runtime_types.h"
#include "execution/run_kernel.h"

namespace d2l::emulator {

/// What a card allows: grids within grids, without the one that the host launches.
constexpr unsigned max_nesting_depth = 24;

/// A piece of work of a stream of the device.
struct Child {
  KernelLaunch launch;
  std::uint64_t block = 0;    ///< of the thread that launches it
  unsigned waits = 0;         ///< for how many others
  std::vector<Child*> after;  ///< that wait for it
  bool done = false;
};

/// Called when a grid has ended, with what it counted.
using GridEnded = std::function<void(const KernelLaunch& launch, KernelOutcome& outcome)>;

/// A child runs when its parent grid has ended, or before: when a thread of the parent waits for it, when the parent
/// cannot go on without it, or when too many are pending. All functions may be called by several cores.
class Children {
 public:
  Children(const KernelLaunch& parent, const AllocationTable& allocations, const GridEnded& ended)
      : parent_(parent), allocations_(allocations), ended_(ended) {}
  Children(const Children&) = delete;
  Children& operator=(const Children&) = delete;

  // Called by a thread of the parent, of this block. They fail as on a card.
  cudaError_t submit(KernelLaunch launch, std::uint64_t block, cudaStream_t stream);
  cudaError_t create_stream(cudaStream_t* stream);
  cudaError_t destroy_stream(cudaStream_t stream);
  cudaError_t create_event(cudaEvent_t* event);
  cudaError_t destroy_event(cudaEvent_t event);
  cudaError_t record(cudaEvent_t event, std::uint64_t block, cudaStream_t stream);
  cudaError_t wait_for(cudaEvent_t event, std::uint64_t block, cudaStream_t stream);
  /// Waits until what the block has launched is done.
  cudaError_t synchronize(std::uint64_t block);

  // The last error of a thread of the parent. `launch` says which launch failed; empty: the thread got the error.
  cudaError_t note_error(cudaError_t error, std::uint64_t block, unsigned thread, std::string launch);
  cudaError_t last_error(std::uint64_t block, unsigned thread, bool forget);
  /// A launch with this fault.
  void fail(KernelFault fault);

  /// Called when the parent cannot go on. False if there is nothing to run.
  bool run_for_stalled_parent();
  /// After the parent: runs the rest, except tail launches, and adds to the outcome of the parent what they did.
  void finish(KernelOutcome& outcome);
  /// The tail launches, in their order.
  std::vector<std::shared_ptr<Child>> take_tails() { return std::move(tails_); }

 private:
  struct DeviceStream {
    std::shared_ptr<Child> last;
    std::vector<std::shared_ptr<Child>> awaited;  ///< by the next piece of work
  };
  struct DeviceEvent {
    std::shared_ptr<Child> after;  ///< null: nothing is recorded
  };
  struct LastError {
    cudaError_t error;
    std::string launch;  ///< that failed, until the thread reads the error
  };

  DeviceStream* find(std::uint64_t block, cudaStream_t stream);
  bool next(std::unique_lock<std::mutex>& lock, const std::function<bool()>& enough, std::shared_ptr<Child>& found);
  void run(Child& child);
  void end(Child& child);
  void run_until(const std::function<bool()>& enough);
  void run_in_other_thread(const std::function<bool()>& enough);
  void add_unread_errors();

  const KernelLaunch& parent_;
  const AllocationTable& allocations_;
  const GridEnded& ended_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::shared_ptr<Child>> ready_;
  std::size_t running_ = 0;
  std::unordered_map<const Child*, std::shared_ptr<Child>> pending_;  ///< not done, without tail launches
  std::map<std::uint64_t, std::size_t> of_block_;                     ///< the same by block
  std::map<std::uint64_t, DeviceStream> own_streams_;                 ///< the default streams of the blocks
  std::map<const void*, std::unique_ptr<DeviceStream>> streams_;
  std::map<const void*, std::unique_ptr<DeviceEvent>> events_;
  std::vector<std::shared_ptr<Child>> tails_;
  std::map<std::pair<std::uint64_t, unsigned>, LastError> errors_;
  std::uint64_t drawn_ = 0;
  std::optional<KernelFault> fault_;
  std::vector<MemoryAccesses> accesses_;
};

/// Runs a grid, its children, and then its tail launches, one after the other with theirs.
KernelOutcome run_with_children(KernelLaunch& launch, const AllocationTable& allocations, const GridEnded& ended);

}  // namespace d2l::emulator
