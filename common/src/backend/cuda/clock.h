// SPDX-License-Identifier: MIT
// Clock: when work ran on a card, in the host's steady clock.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>

#include "backend/backend.h"
#include "backend/cuda/events.h"

namespace d2l::backend::cuda {

/// An event whose time on the host is known.
struct Anchor {
  EventPool::Event event;
  std::int64_t host_time = 0;  ///< nanoseconds of std::chrono::steady_clock
};

class Clock {
 public:
  /// On the current card.
  Clock();
  ~Clock();
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;

  /// Calls `work`, which puts something in `stream`, between two events that tell `span` when it ran; a null span is
  /// not timed.
  template <class Work>
  void time(cudaStream_t stream, const std::shared_ptr<Span>& span, const Work& work) {
    if (!span) {
      work();
      return;
    }
    const Interval interval = begin(stream);
    work();
    end(stream, interval, *span);
  }

 private:
  struct Interval {
    std::shared_ptr<const Anchor> anchor;
    EventPool::Event began;
    EventPool::Event ended;
  };

  Interval begin(cudaStream_t stream);
  static void end(cudaStream_t stream, const Interval& interval, Span& span);
  std::shared_ptr<const Anchor> anchor();
  Anchor measure_anchor();

  std::shared_ptr<EventPool> events_;
  cudaStream_t stream_ = nullptr;  // idle, so that an anchor is reached at once
  std::mutex mutex_;
  std::shared_ptr<const Anchor> anchor_;
};

}  // namespace d2l::backend::cuda
