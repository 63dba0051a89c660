// SPDX-License-Identifier: MIT
// Replay: the clocks of host threads and queues, driven by one entry after another.
#pragma once

#include <map>

#include "d2l/cost_model.h"

namespace d2l::detail {

/// When an entry was issued, and ran, in seconds since the first; `ran` is false for what takes no time to be seen.
struct Moment {
  double issued = 0;
  double began = 0;
  double ended = 0;
  bool ran = false;
};

/// Takes entries in the order in which they were issued, and says when each would run.
class Replay {
 public:
  explicit Replay(const Card& card) : card_(card) {}

  Moment take(const LedgerEntry& entry);
  /// When the host and all queues have finished what was taken.
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
  std::map<std::uint64_t, double> threads_;  // when each host thread is free again
  std::map<int, double> queues_;             // and each queue
  std::map<std::uint64_t, double> events_;   // when the work is done that each event marks
  double latest_issue_ = 0;
  double finished_ = 0;
};

}  // namespace d2l::detail
