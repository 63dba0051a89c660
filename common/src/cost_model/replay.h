// SPDX-License-Identifier: MIT
// Replay: simulates the clocks of host threads and queues, entry by entry.
#pragma once

#include <map>

#include "d2l/cost_model.h"

namespace d2l::detail {

/// When an entry was issued and when it ran, in seconds since the first entry; `ran` is false if it takes no time.
struct Moment {
  double issued = 0;
  double began = 0;
  double ended = 0;
  bool ran = false;
};

/// Takes entries in the order of issue, and returns when each would run.
class Replay {
 public:
  explicit Replay(const Card& card) : card_(card) {}

  Moment take(const LedgerEntry& entry);
  /// When the host and all queues have finished all entries so far.
  [[nodiscard]] double seconds() const noexcept { return finished_; }

 private:
  Moment compute_on_host(double& host, double seconds) const;
  Moment copy(const LedgerEntry& entry, double& host);
  Moment in_queue(Device queue, double issued, double& host, double seconds);
  Moment wait_on_host(const LedgerEntry& entry, double& host);
  Moment wait_in_queue(const LedgerEntry& entry, double issued, double& host);
  double& queue_of(Device device) { return queues_[device.index()]; }
  double marked(const LedgerEntry& entry, Device queue);

  const Card& card_;
  std::map<std::uint64_t, double> threads_;  // when each host thread is free
  std::map<int, double> queues_;             // when each queue is free
  std::map<std::uint64_t, double> events_;   // when the work before each event is done
  double latest_issue_ = 0;
  double finished_ = 0;
};

}  // namespace d2l::detail
