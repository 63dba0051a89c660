// SPDX-License-Identifier: MIT
// Timing: warm up, synchronise, repeat until the median is stable.
#include "d2l/timing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "backend/backend.h"
#include "base/units.h"
#include "d2l/device.h"
#include "d2l/error.h"
#include "d2l/transfers.h"

namespace d2l {
namespace {

constexpr double shortest_run = 1e-3;      // seconds; the clock and an idle synchronisation are negligible
constexpr double settled_fraction = 0.02;  // the uncertainty of a stable median, as a fraction of it

double seconds_since(std::int64_t start) { return static_cast<double>(backend::steady_nanoseconds() - start) * 1e-9; }

double seconds_of(const std::function<void()>& work, std::int64_t times) {
  synchronize();
  const auto start = backend::steady_nanoseconds();
  for (std::int64_t i = 0; i < times; ++i) work();
  synchronize();
  return seconds_since(start);
}

/// True if `work`, run once, uses a virtual GPU in host memory.
bool uses_virtual_gpus(const std::function<void()>& work) {
  const TransferLedger ledger;
  work();
  const auto entries = ledger.entries();
  return std::any_of(entries.begin(), entries.end(), [](const LedgerEntry& entry) {
    return !entry.queue.is_cpu() && device_properties(entry.queue).kind == DeviceKind::virtual_gpu_on_host;
  });
}

/// The shortest of three runs, so that one interruption does not make short work seem long; only one run of long work.
double min_seconds_of(const std::function<void()>& work, std::int64_t times) {
  double least = seconds_of(work, times);
  for (int again = 0; again < 2 && least < 20 * shortest_run; ++again) least = std::min(least, seconds_of(work, times));
  return least;
}

/// How often `work` must be repeated so that a run is long enough; these runs also warm it up.
std::int64_t find_repetitions(const std::function<void()>& work, double maximum_seconds) {
  const auto start = backend::steady_nanoseconds();
  for (std::int64_t repetitions = 1;;) {
    const double seconds = min_seconds_of(work, repetitions);
    if (seconds >= shortest_run || seconds_since(start) > maximum_seconds / 2) return repetitions;
    const double factor = std::clamp(1.2 * shortest_run / std::max(seconds, 1e-9), 2.0, 100.0);
    repetitions = static_cast<std::int64_t>(std::ceil(static_cast<double>(repetitions) * factor));
  }
}

/// Interpolates between the two neighbours in rank.
double quantile(const std::vector<double>& sorted, double fraction) {
  const double rank = fraction * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(rank);
  const auto above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], rank - static_cast<double>(below));
}

Timing statistics(std::vector<double> seconds) {
  std::sort(seconds.begin(), seconds.end());
  Timing timing;
  timing.median = quantile(seconds, 0.5);
  timing.low = quantile(seconds, 0.25);
  timing.high = quantile(seconds, 0.75);
  timing.runs = static_cast<int>(seconds.size());
  // The confidence interval of the median: the notch of a box plot.
  const double uncertainty = 1.57 * (timing.high - timing.low) / std::sqrt(static_cast<double>(seconds.size()));
  timing.stable = uncertainty <= settled_fraction * timing.median;
  return timing;
}

void check(const std::function<void()>& work, const TimingLimits& limits) {
  if (!work) throw ValueError("[measure] the function is empty. Pass a function to measure.");
  const bool fits = limits.minimum_runs >= 1 && limits.minimum_seconds >= 0 &&
                    limits.maximum_seconds >= limits.minimum_seconds && std::isfinite(limits.maximum_seconds);
  if (fits) return;
  throw ValueError(fmt::format(
      "[measure] invalid limits: minimum_seconds {}, maximum_seconds {}, minimum_runs {}. Use 0 <= minimum_seconds <= "
      "maximum_seconds, and minimum_runs of 1 or more.",
      limits.minimum_seconds, limits.maximum_seconds, limits.minimum_runs));
}

}  // namespace

Timing measure(const std::function<void()>& work, const TimingLimits& limits) {
  check(work, limits);
  const bool on_virtual_gpus = uses_virtual_gpus(work);
  const auto repetitions = find_repetitions(work, limits.maximum_seconds);
  std::vector<double> seconds;
  Timing timing;
  for (const auto start = backend::steady_nanoseconds();;) {
    seconds.push_back(seconds_of(work, repetitions) / static_cast<double>(repetitions));
    const double elapsed = seconds_since(start);
    const bool enough = elapsed >= limits.minimum_seconds && std::ssize(seconds) >= limits.minimum_runs;
    if (!enough && elapsed < limits.maximum_seconds) continue;
    timing = statistics(seconds);
    if (timing.stable || elapsed >= limits.maximum_seconds) break;
  }
  timing.stable = timing.stable && timing.runs >= limits.minimum_runs;
  timing.on_virtual_gpus = on_virtual_gpus;
  return timing;
}

std::string repr(const Timing& timing) {
  const auto unit = detail::time_unit(timing.median);
  const auto in_unit = [&](double seconds) { return detail::three_digits(seconds / unit.seconds); };
  return fmt::format("{0} {1} ({2} to {3} {1}, {4} run{5}{6}{7})", in_unit(timing.median), unit.name,
                     in_unit(timing.low), in_unit(timing.high), timing.runs, timing.runs == 1 ? "" : "s",
                     timing.stable ? "" : ", not settled", timing.on_virtual_gpus ? "; host threads, not a GPU" : "");
}

Timer::Timer() {
  synchronize();
  start_ = backend::steady_nanoseconds();
}

double Timer::seconds() const {
  synchronize();
  return seconds_since(start_);
}

}  // namespace d2l
