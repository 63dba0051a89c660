// SPDX-License-Identifier: MIT
// CUDA measures the time between two events; an anchor relates one of them to the host's clock.
#include "backend/cuda/queue/clock.h"

#include <cmath>
#include <limits>

#include "backend/cuda/errors/check.h"

namespace d2l::backend::cuda {
namespace {

/// The host time of `event`; -1 if the event is not reached.
std::int64_t host_time(const Anchor& anchor, cudaEvent_t event) noexcept {
  float milliseconds = 0;
  if (cudaEventElapsedTime(&milliseconds, anchor.event.get(), event) != cudaSuccess) {
    forget_last_error();
    return -1;
  }
  return anchor.host_time + std::llround(static_cast<double>(milliseconds) * 1e6);
}

}  // namespace

Clock::Clock() : events_(std::make_shared<EventPool>(cudaEventDefault)) {
  D2L_CUDA_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
}

Clock::~Clock() { static_cast<void>(cudaStreamDestroy(stream_)); }

void Clock::time_span(cudaStream_t stream, Span& span, const std::function<void()>& work) {
  const auto begin = events_->take();
  const auto end = events_->take();
  const auto since = anchor();
  D2L_CUDA_CHECK(cudaEventRecord(begin.get(), stream));
  work();
  D2L_CUDA_CHECK(cudaEventRecord(end.get(), stream));
  span.resolve_with([begin, end, since, &span] {
    const std::int64_t ended = host_time(*since, end.get());
    if (ended < 0) return;
    span.began.store(host_time(*since, begin.get()));
    span.ended.store(ended);
  });
}

std::shared_ptr<const Anchor> Clock::anchor() {
  // CUDA returns milliseconds as a float, which is exact to a microsecond for ten seconds.
  constexpr std::int64_t longest_use = 10'000'000'000;
  const std::lock_guard lock(mutex_);
  if (!anchor_ || steady_nanoseconds() - anchor_->host_time > longest_use)
    anchor_ = std::make_shared<const Anchor>(measure_anchor());
  return anchor_;
}

Anchor Clock::measure_anchor() {
  constexpr int attempts = 3;
  Anchor best;
  std::int64_t narrowest = std::numeric_limits<std::int64_t>::max();
  for (int attempt = 0; attempt < attempts; ++attempt) {
    EventPool::Event event = events_->take();
    const std::int64_t before = steady_nanoseconds();
    D2L_CUDA_CHECK(cudaEventRecord(event.get(), stream_));
    D2L_CUDA_CHECK(cudaEventSynchronize(event.get()));
    const std::int64_t width = steady_nanoseconds() - before;
    if (width >= narrowest) continue;
    narrowest = width;
    best = {std::move(event), before + width / 2};
  }
  return best;
}

}  // namespace d2l::backend::cuda
