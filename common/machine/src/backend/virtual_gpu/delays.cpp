// SPDX-License-Identifier: MIT
// Delays: their lengths, drawn from a seed, and when they end.
#include "backend/virtual_gpu/delays.h"

#include <pthread.h>

#include <atomic>
#include <mutex>

#include "backend/test_switches.h"

namespace d2l::backend {
namespace {

using std::chrono::nanoseconds;

constexpr nanoseconds shortest = std::chrono::microseconds(300);
constexpr nanoseconds longest = std::chrono::microseconds(1500);
/// An issuer that used no processor time for this long is not paused by the system: it waits for something else.
constexpr nanoseconds patience = std::chrono::milliseconds(100);

struct Setting {
  std::mutex mutex;
  std::optional<std::uint64_t> seed;
  std::atomic<bool> on{false};
  std::uint64_t number = 0;  ///< how many times the seed was set
};
Setting setting;
std::atomic<int> waiting_hosts{0};

/// A bijection of 64 bits: each input bit changes about half of the output bits (multiply and shift, twice).
std::uint64_t mixed(std::uint64_t value) noexcept {
  value = (value ^ (value >> 32)) * 0x9E3779B97F4A7C15U;
  value = (value ^ (value >> 29)) * 0xD6E8FEB86659FD93U;
  return value ^ (value >> 32);
}

nanoseconds length_of(std::uint64_t seed, int device, std::uint64_t number) noexcept {
  const std::uint64_t drawn = mixed(mixed(mixed(seed + 1) + static_cast<std::uint64_t>(device)) + number);
  return shortest + nanoseconds(drawn % static_cast<std::uint64_t>((longest - shortest).count() + 1));
}

clockid_t clock_of_this_thread() noexcept {
  clockid_t clock = CLOCK_THREAD_CPUTIME_ID;
  pthread_getcpuclockid(pthread_self(), &clock);
  return clock;
}

/// The processor time of a thread's clock; nullopt if the thread has ended.
std::optional<nanoseconds> time_of(clockid_t clock) noexcept {
  timespec time = {};
  if (clock_gettime(clock, &time) != 0) return std::nullopt;
  return std::chrono::seconds(time.tv_sec) + nanoseconds(time.tv_nsec);
}

}  // namespace

Delay::Delay(nanoseconds length)
    : length_(length),
      issued_(std::chrono::steady_clock::now()),
      issuer_(clock_of_this_thread()),
      issuer_time_(time_of(issuer_).value_or(nanoseconds(0))) {}

bool Delay::is_over() const noexcept {
  const auto elapsed = std::chrono::steady_clock::now() - issued_;
  if (elapsed < length_) return false;
  if (elapsed >= patience || waiting_hosts.load() > 0) return true;
  const auto issuer_time = time_of(issuer_);
  return !issuer_time || *issuer_time < issuer_time_ || *issuer_time - issuer_time_ >= length_;
}

std::optional<Delay> DelaySequence::next() {
  if (!setting.on.load(std::memory_order_relaxed)) return std::nullopt;
  const std::lock_guard lock(setting.mutex);
  if (!setting.seed) return std::nullopt;
  if (setting_ != setting.number) {
    setting_ = setting.number;
    number_ = 0;
  }
  return Delay(length_of(*setting.seed, stream_, number_++));
}

WaitingHost::WaitingHost() noexcept { waiting_hosts.fetch_add(1); }
WaitingHost::~WaitingHost() { waiting_hosts.fetch_sub(1); }

void set_virtual_delays(std::optional<std::uint64_t> seed) {
  const std::lock_guard lock(setting.mutex);
  setting.seed = seed;
  ++setting.number;
  setting.on = seed.has_value();
}

}  // namespace d2l::backend
