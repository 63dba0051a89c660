// SPDX-License-Identifier: MIT
// Clock: measures when work ran on a card, in the host's steady clock.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>

#include "backend/backend.h"
#include "backend/cuda/queue/events.h"
#include "base/non_copyable.h"

namespace d2l::backend::cuda {

/// An event with a known host time.
struct Anchor {
  EventPool::Event event;
  std::int64_t host_time = 0;  ///< nanoseconds of std::chrono::steady_clock
};

class Clock : detail::NonCopyable {
 public:
  /// The clock of the current card.
  Clock();
  ~Clock();

  /// Calls `work`, which adds work to `stream`, between two events that give `span` its times; a null span is not
  /// timed.
  template <class Work>
  void time(cudaStream_t stream, const std::shared_ptr<Span>& span, const Work& work) {
    span ? time_span(stream, *span, std::cref(work)) : work();
  }

 private:
  void time_span(cudaStream_t stream, Span& span, const std::function<void()>& work);
  std::shared_ptr<const Anchor> anchor();
  Anchor measure_anchor();

  std::shared_ptr<EventPool> events_;
  cudaStream_t stream_ = nullptr;  // always idle, so that an anchor is reached at once
  std::mutex mutex_;
  std::shared_ptr<const Anchor> anchor_;
};

}  // namespace d2l::backend::cuda
