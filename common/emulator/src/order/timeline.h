// SPDX-License-Identifier: MIT
// Timeline: which operations of all streams and of the host are in order, and which memory they use. It compares each
// operation with those that were submitted before it, whenever they run: what it finds does not depend on time.
//
// All threads of the host count as one agent, whose steps are in the order in which they happen.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "order/host_intervals.h"
#include "order/operation.h"
#include "order/order_reports.h"
#include "order/stream_role.h"

namespace d2l::emulator {

/// An access of code of the host.
struct HostAccess {
  std::uintptr_t address;
  std::size_t bytes;
  std::uint8_t bits;  ///< AccessBits
  const void* caller;
};

class Timeline {
 public:
  Timeline();

  /// The timeline is kept from the first call with true on, until as many calls with false.
  void keep(bool wanted);
  [[nodiscard]] bool active() const noexcept { return kept_.load(std::memory_order_relaxed) > 0; }

  /// Adds an operation to a stream. It must be completed, on any thread.
  std::shared_ptr<Operation> submit(const StreamRole& stream, Operation what);
  /// `accesses` are those that became known while it ran.
  void complete(const std::shared_ptr<Operation>& operation, std::vector<MemoryAccesses> accesses = {});
  /// Adds an operation of the host itself: it frees memory.
  void add_host_operation(Operation what);

  /// What has been submitted to a stream so far, and what comes before that.
  [[nodiscard]] VectorClock clock_of_submitted(const StreamRole& stream);
  /// What the host knows once it has waited for a stream: for the default stream, those that it waits for, too.
  [[nodiscard]] VectorClock clock_of(const StreamRole& stream);
  /// The same for all streams of a device.
  [[nodiscard]] VectorClock clock_of_device(int device);
  /// The host has waited for this.
  void host_knows(const VectorClock& clock);
  /// What a stream does from now on comes after this.
  void stream_knows(const StreamRole& stream, const VectorClock& clock);
  /// The program destroys a stream: its agent may serve another one, once the host has waited for its work.
  void retire(const StreamRole& stream);

  /// Memory that the host and the devices use.
  void watch(const std::shared_ptr<const Allocation>& memory);
  void unwatch(const void* begin);
  void note_host_access(const HostAccess& access);
  /// Stands for all pageable memory of the host: an offset in it is an address.
  [[nodiscard]] const std::shared_ptr<const Allocation>& pageable() const noexcept { return pageable_; }

  /// A device is lost: what the host accesses from now on is not compared, because its waits fail.
  void lose_device() noexcept { device_lost_ = true; }
  /// Called when the process begins to end: waits a moment for operations that are still to be compared.
  void settle();
  /// Called when the process ends: compares what is left, and reports a kernel that nothing waits for. Returns true if
  /// something wrong was found.
  bool finish();

  /// Called before the order is looked at: learns of waits that other parts of the library made.
  void set_learner(void (*learn)()) noexcept { learn_ = learn; }

 private:
  friend class HostFunctionScope;
  struct StreamState {
    StreamRole role;
    std::size_t agent = 0;
    bool retired = false;
    VectorClock clock;
    std::shared_ptr<const Operation> last_kernel;  ///< without its accesses
  };
  /// An earlier operation that used an allocation, and may not be in order with later ones.
  struct Use {
    std::shared_ptr<Operation> operation;
    std::vector<Interval> intervals;
  };
  struct PageableUse {
    std::size_t begin;
    std::size_t end;
    std::size_t agent;
    std::uint64_t time;
  };
  /// Functions that must not be called with the mutex locked.
  struct Ended {
    std::vector<std::function<void()>> functions;
    Ended() = default;
    ~Ended() {
      for (const auto& each : functions) each();
    }
    Ended(const Ended&) = delete;
    Ended& operator=(const Ended&) = delete;
  };
  static constexpr std::size_t host_agent = 0;

  StreamState& state_of(const StreamRole& stream);
  void host_joins(const VectorClock& clock, Ended& ended);
  void host_changed();
  void watch_host();
  void close_segment(Ended& ended);
  void process(Ended& ended);
  void compare(const std::shared_ptr<Operation>& operation);
  [[nodiscard]] bool talk(const Operation& kernel, const Operation& host) const;
  void forget_old_uses(const VectorClock& host);
  [[nodiscard]] bool may_conflict(const Allocation& memory);
  /// The key of the uses of an allocation: each device has its own copy of a variable.
  static std::uint64_t key_of(const Allocation& memory, int device);

  std::atomic<int> kept_{0};
  std::atomic<bool> device_lost_{false};
  void (*learn_)() = nullptr;
  std::mutex mutex_;
  std::unordered_map<std::uint64_t, StreamState> streams_;  ///< by id
  std::size_t agents_ = 1;
  VectorClock host_;
  std::shared_ptr<const VectorClock> host_snapshot_;  ///< null: host_ has changed
  bool uses_host_functions_ = false;
  bool in_flight_ = false;                                    ///< the host has not waited for all operations
  std::deque<std::shared_ptr<Operation>> sequence_;           ///< submitted and not compared yet, in their order
  std::unordered_map<std::uint64_t, std::vector<Use>> uses_;  ///< by allocation
  std::size_t forget_at_ = 0;                                 ///< so many allocations in uses_
  std::deque<std::uint64_t> released_;                        ///< the keys of allocations that are freed
  std::map<std::uintptr_t, std::shared_ptr<const Allocation>> watched_;
  std::vector<PageableUse> pageable_uses_;                     ///< that the host has not waited for
  std::unordered_map<std::uintptr_t, VectorClock> published_;  ///< by address / 8: written by functions of the host
  std::shared_ptr<Operation> segment_;                         ///< accesses of the host; null: none yet
  HostIntervals segment_accesses_;
  std::shared_ptr<const Allocation> pageable_;
  OrderReports reports_;
};

Timeline& timeline();
/// Changes whenever an access of the host that was harmless may not be so any more.
extern std::atomic<std::uint64_t> host_generation;

/// While it is in scope, this thread runs a function of the host in the order of a stream.
class HostFunctionScope {
 public:
  explicit HostFunctionScope(std::shared_ptr<Operation> operation);
  ~HostFunctionScope();
  HostFunctionScope(const HostFunctionScope&) = delete;
  HostFunctionScope& operator=(const HostFunctionScope&) = delete;
  /// What the function accessed.
  std::vector<MemoryAccesses> take() { return accesses_.take(); }

 private:
  friend class Timeline;
  std::shared_ptr<Operation> operation_;
  bool own_code_;
  HostIntervals accesses_;
};

}  // namespace d2l::emulator
