// SPDX-License-Identifier: MIT
// CUDA measures the time between two events; an anchor relates one of them to the host's clock.
#include "backend/cuda/queue/clock.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <optional>

#include "backend/cuda/errors/check.h"

namespace d2l::backend::cuda {
namespace {

/// Milliseconds of the card's clock between two events; nullopt if one is not reached.
std::optional<double> elapsed(const EventPool::Event& from, cudaEvent_t to) noexcept {
  float milliseconds = 0;
  if (cudaEventElapsedTime(&milliseconds, from.get(), to) == cudaSuccess) return milliseconds;
  forget_last_error();
  return std::nullopt;
}

}  // namespace

Clock::Clock() : events_(std::make_shared<EventPool>(cudaEventDefault)) {
  D2L_CUDA_CHECK(cudaGetDevice(&card_));
  D2L_CUDA_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
}

Clock::~Clock() { ignore(cudaStreamDestroy(stream_)); }

void Clock::time_span(cudaStream_t stream, Span& span, const std::function<void()>& work) {
  const auto begin = events_->take();
  const auto end = events_->take();
  const auto since = anchor();
  const std::int64_t issued = steady_nanoseconds();
  D2L_CUDA_CHECK(cudaEventRecord(begin.get(), stream));
  work();
  D2L_CUDA_CHECK(cudaEventRecord(end.get(), stream));
  span.resolve_with([self = shared_from_this(), begin, end, since, issued, &span] {
    self->set_times(*since, begin.get(), end.get(), issued, span);
  });
}

void Clock::set_times(const Anchor& since, cudaEvent_t begin, cudaEvent_t end, std::int64_t issued,
                      Span& span) noexcept {
  const std::int64_t now = steady_nanoseconds();
  const auto to_begin = elapsed(since.event, begin);
  const auto to_end = elapsed(since.event, end);
  if (!to_begin || !to_end) return;
  double nanoseconds = 1e6;  // of the host, in a millisecond of the card
  try {
    const auto later = anchor_after(end);
    const auto between = elapsed(since.event, later->event.get());
    if (between && *between > 0) nanoseconds = static_cast<double>(later->host_time - since.host_time) / *between;
  } catch (const std::exception&) {  // the card is lost: its clock has to do
    forget_last_error();
  }
  const auto host_time = [&](double milliseconds) {
    return std::clamp<std::int64_t>(since.host_time + std::llround(milliseconds * nanoseconds), issued,
                                    std::max(issued, now));
  };
  span.began.store(host_time(*to_begin));
  span.ended.store(host_time(*to_end));
}

std::shared_ptr<const Anchor> Clock::anchor_after(cudaEvent_t event) {
  const CardGuard guard(card_);
  const std::lock_guard lock(mutex_);
  if (latest_) {
    if (const auto before = elapsed(latest_->event, event); before && *before <= 0) return latest_;
  }
  latest_ = std::make_shared<const Anchor>(measure_anchor());
  return latest_;
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
