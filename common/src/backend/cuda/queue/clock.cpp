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

Clock::Timing Clock::begin(cudaStream_t stream) {
  Timing timing{events_->take(), events_->take(), anchor(), steady_nanoseconds(), 0};
  D2L_CUDA_CHECK(cudaEventRecord(timing.begin.get(), stream));
  return timing;
}

void Clock::end(cudaStream_t stream, Timing timing, Span& span) {
  D2L_CUDA_CHECK(cudaEventRecord(timing.end.get(), stream));
  timing.in_queue = steady_nanoseconds();
  span.resolve_with([self = shared_from_this(), timing = std::move(timing), &span] { self->set_times(timing, span); });
}

void Clock::note_wait(std::int64_t in_queue) {
  constexpr std::size_t most_waits = 4096;
  const std::lock_guard lock(mutex_);
  if (!waits_.empty() && waits_.back().in_queue >= in_queue) return;
  waits_.push_back({in_queue, steady_nanoseconds()});
  if (waits_.size() > most_waits) waits_.pop_front();
}

std::int64_t Clock::latest_end(std::int64_t in_queue) {
  const std::lock_guard lock(mutex_);
  const auto wait = std::ranges::lower_bound(waits_, in_queue, {}, &Wait::in_queue);
  return wait == waits_.end() ? steady_nanoseconds() : wait->ended;
}

void Clock::set_times(const Timing& timing, Span& span) noexcept {
  const Anchor& since = *timing.since;
  const auto to_begin = elapsed(since.event, timing.begin.get());
  const auto to_end = elapsed(since.event, timing.end.get());
  if (!to_begin || !to_end) return;
  double nanoseconds = 1e6;  // of the host, in a millisecond of the card
  try {
    const auto later = anchor_after(timing.end.get());
    const auto between = elapsed(since.event, later->event.get());
    if (between && *between > 0) nanoseconds = static_cast<double>(later->host_time - since.host_time) / *between;
  } catch (const std::exception&) {  // the card is lost: its clock has to do
    forget_last_error();
  }
  // The anchors are not exact: the work is moved to where it must have been, and only cut where it is too long.
  const auto host_time = [&](double milliseconds) -> std::int64_t {
    return since.host_time + std::llround(milliseconds * nanoseconds);
  };
  const std::int64_t duration = host_time(*to_end) - host_time(*to_begin);
  const std::int64_t earliest = std::max(host_time(*to_begin), timing.issued);
  const std::int64_t ended = std::min(earliest + duration, latest_end(timing.in_queue));
  span.began.store(std::max(ended - duration, timing.issued));
  span.ended.store(std::max(ended, timing.issued));
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
