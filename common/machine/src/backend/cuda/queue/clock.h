// SPDX-License-Identifier: MIT
// Clock: measures when work ran on a card, in the host's steady clock.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "backend/backend.h"
#include "backend/cuda/queue/events.h"
#include "base/non_copyable.h"

namespace d2l::backend::cuda {

/// An event with a known host time.
struct Anchor {
  EventPool::Event event;
  std::int64_t host_time = 0;  ///< nanoseconds of std::chrono::steady_clock
};

/// The card's clock drifts against the host's, so times are interpolated between an anchor before the work and one
/// after it.
class Clock : public std::enable_shared_from_this<Clock>, detail::NonCopyable {
 public:
  /// The clock of the current card.
  Clock();
  ~Clock();

  /// The times of work between begin() and end().
  struct Timing {
    EventPool::Event begin;
    EventPool::Event end;
    std::shared_ptr<const Anchor> since;
    std::int64_t issued = 0;    ///< host time before the work was issued
    std::int64_t in_queue = 0;  ///< host time after that
  };
  [[nodiscard]] Timing begin(cudaStream_t stream);
  void end(cudaStream_t stream, Timing timing, Span& span);
  /// A wait of the host has ended now, for all work that was in the queue at host time `in_queue`: it has ended too.
  void note_wait(std::int64_t in_queue);

  /// Calls `work`, which adds work to `stream`, between two events that give `span` its times; a null span is not
  /// timed.
  template <class Work>
  void time(cudaStream_t stream, const std::shared_ptr<Span>& span, const Work& work) {
    if (!span) {
      work();
      return;
    }
    Timing timing = begin(stream);
    work();
    end(stream, std::move(timing), *span);
  }

 private:
  std::shared_ptr<const Anchor> anchor();
  Anchor measure_anchor();
  /// An anchor that was reached after `event`, which is reached.
  std::shared_ptr<const Anchor> anchor_after(cudaEvent_t event);
  void set_times(const Timing& timing, Span& span) noexcept;
  /// A wait of the host: the work that was in the queue by `in_queue` had ended by `ended`.
  struct Wait {
    std::int64_t in_queue = 0;
    std::int64_t ended = 0;
    EventPool::Event last;  ///< the end of the last timed work; null if more work was added meanwhile
  };
  /// The first wait for work that was in the queue at `in_queue`; one that ends now if there was none.
  Wait wait_for(std::int64_t in_queue);
  /// Sets the times of work that ran for `duration` from `begin` on, within its bounds: after it was issued and after
  /// the work before it, before the end of the wait and before the work after it.
  void place(const Timing& timing, std::int64_t begin, std::int64_t duration, std::int64_t latest_end, Span& span);

  std::shared_ptr<EventPool> events_;
  cudaStream_t stream_ = nullptr;  // always idle, so that an anchor is reached at once
  std::mutex mutex_;
  std::shared_ptr<const Anchor> anchor_;
  std::shared_ptr<const Anchor> latest_;  // the latest one after some work
  int card_ = 0;
  EventPool::Event last_;  // the end of the last timed work
  std::int64_t last_in_queue_ = 0;
  std::deque<Wait> waits_;                                                // the latest ones; both times grow
  std::map<std::int64_t, std::pair<std::int64_t, std::int64_t>> placed_;  // times of the latest work, by in_queue
};

}  // namespace d2l::backend::cuda
