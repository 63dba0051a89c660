// SPDX-License-Identifier: MIT
// CUDA measures the time between two events; an anchor relates one of them to the host's clock.
#include "backend/cuda/queue/clock.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <iterator>
#include <limits>
#include <new>
#include <optional>

#include "backend/cuda/errors/check.h"

namespace d2l::backend::cuda {
namespace {

constexpr std::size_t max_kept = 4096;  // waits, and times of work

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
  {
    const std::lock_guard lock(mutex_);
    last_ = timing.end;
    last_in_queue_ = timing.in_queue;
  }
  span.resolve_with([self = shared_from_this(), timing = std::move(timing), &span] { self->set_times(timing, span); });
}

void Clock::note_wait(std::int64_t in_queue) {
  const std::lock_guard lock(mutex_);
  if (!waits_.empty() && waits_.back().in_queue >= in_queue) return;
  waits_.push_back({in_queue, steady_nanoseconds(), last_in_queue_ <= in_queue ? last_ : nullptr});
  if (waits_.size() > max_kept) waits_.pop_front();
}

Clock::Wait Clock::wait_for(std::int64_t in_queue) {
  const std::lock_guard lock(mutex_);
  const auto wait = std::ranges::lower_bound(waits_, in_queue, {}, &Wait::in_queue);
  return wait == waits_.end() ? Wait{in_queue, steady_nanoseconds(), nullptr} : *wait;
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
  const auto host_time = [&](double milliseconds) -> std::int64_t {
    return since.host_time + std::llround(milliseconds * nanoseconds);
  };
  // The anchors are not exact: if they say that the last work ended after the wait for it, all of it was earlier.
  const Wait wait = wait_for(timing.in_queue);
  const auto to_last = wait.last ? elapsed(since.event, wait.last.get()) : std::nullopt;
  const std::int64_t late = to_last ? std::max<std::int64_t>(host_time(*to_last) - wait.ended, 0) : 0;
  place(timing, host_time(*to_begin) - late, host_time(*to_end) - host_time(*to_begin), wait.ended, span);
}

void Clock::place(const Timing& timing, std::int64_t begin, std::int64_t duration, std::int64_t latest_end,
                  Span& span) {
  const std::lock_guard lock(mutex_);
  const auto after = placed_.lower_bound(timing.in_queue);
  const std::int64_t earliest =
      after == placed_.begin() ? timing.issued : std::max(timing.issued, std::prev(after)->second.second);
  const std::int64_t latest = after == placed_.end() ? latest_end : std::min(latest_end, after->second.first);
  const std::int64_t ended = std::min(std::max(begin, earliest) + duration, latest);
  const std::int64_t began = std::max(ended - duration, earliest);
  span.began.store(began);
  span.ended.store(std::max(began, ended));
  try {
    placed_.emplace_hint(after, timing.in_queue, std::pair{began, std::max(began, ended)});
    if (placed_.size() > max_kept) placed_.erase(placed_.begin());
  } catch (const std::bad_alloc&) {  // the next work has a bound less
  }
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
