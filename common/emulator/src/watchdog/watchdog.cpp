// SPDX-License-Identifier: MIT
#include "watchdog/watchdog.h"

#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <list>
#include <mutex>
#include <system_error>
#include <thread>

#include "checks/reports.h"
#include "execution/block_source.h"
#include "execution/worker.h"
#include "runtime/errors.h"
#include "watchdog/blocked_threads.h"
#include "watchdog/samples.h"

namespace d2l::emulator::watchdog {

std::chrono::seconds patience() {
  static const std::chrono::seconds time = [] {
    const char* const text = std::getenv("D2L_WATCHDOG_SECONDS");
    unsigned seconds = 60;
    if (text == nullptr || *text == '\0') return std::chrono::seconds(seconds);
    const auto* const end = text + std::strlen(text);
    if (const auto [rest, error] = std::from_chars(text, end, seconds); error != std::errc() || rest != end) {
      refuse_environment(fmt::format("D2L_WATCHDOG_SECONDS=\"{}\" is not a whole number. Set it to the seconds without "
                                     "progress after which a kernel is named, or to 0 for never",
                                     text)
                             .c_str());
    }
    return std::chrono::seconds(seconds);
  }();
  return time;
}

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds time_for_verdict{2};

/// A thread of the process that runs blocks of a kernel.
struct Watched {
  pthread_t thread;
  const KernelLaunch* launch;
  BlockSource* blocks;
  std::uint64_t progress = ~std::uint64_t{0};
  Clock::time_point since;
  Clock::time_point suspected;
  std::string where;
  std::chrono::seconds patience;  ///< doubles after each suspicion, since looking at the state takes time
  bool named = false;             ///< in a warning
};

std::string name_of(const Watched& one) {
  const KernelLaunch& launch = *one.launch;
  const std::string at =
      launch.line > 0 ? fmt::format(", launched at {},", place_text({launch.file, launch.line})) : "";
  return fmt::format("kernel {}{}", launch.name, at);
}

/// The thread that looks, and what it looks at. Never destroyed: kernels may run until the process has ended.
class Watcher {
 public:
  Watcher() {
    install_sampler();
    try {
      std::thread([this] { watch(); }).detach();
    } catch (const std::system_error&) {  // no more threads: nothing is watched
    }
  }
  using Place = std::list<Watched>::iterator;
  Place add(const KernelLaunch& launch, BlockSource& blocks) {
    const std::lock_guard lock(mutex_);
    if (kernels_.empty()) begins_.notify_one();
    kernels_.push_back({::pthread_self(), &launch, &blocks, ~std::uint64_t{0}, {}, {}, {}, patience(), false});
    return std::prev(kernels_.end());
  }
  void remove(Place place) {
    const std::lock_guard lock(mutex_);
    kernels_.erase(place);
  }
  [[nodiscard]] pid_t thread() const noexcept { return thread_; }

 private:
  [[noreturn]] void watch() {
    thread_ = ::gettid();
    const auto period = std::min(std::chrono::milliseconds(patience()) / 4, std::chrono::milliseconds(1000));
    for (;;) {
      {
        std::unique_lock lock(mutex_);
        begins_.wait(lock, [this] { return !kernels_.empty(); });
      }
      std::this_thread::sleep_for(period);
      const std::lock_guard lock(mutex_);
      for (auto one = kernels_.begin(); one != kernels_.end(); ++one) {
        const bool again =  // the kernel runs on several cores
            std::any_of(kernels_.begin(), one, [&](const Watched& other) { return other.blocks == one->blocks; });
        if (!again) look_at(*one);
      }
    }
  }

  static void look_at(Watched& one) {
    const auto now = Clock::now();
    if (one.blocks->progress() != one.progress) {
      one.progress = one.blocks->progress();
      one.since = now;
      one.suspected = {};
      one.patience = patience();
      return;
    }
    if (now - one.since < one.patience) return;
    if (one.suspected == Clock::time_point{}) {
      one.suspected = now;
      one.where = where_it_stays(one.thread);
      one.blocks->suspect(
          fmt::format("{} never ends: {}all its threads do the same again and again, and no other "
                      "thread of the program runs that could change what they wait for\n",
                      name_of(one), one.where.empty() ? "" : one.where + ". It waits for memory: "));
    } else if (now - one.suspected > time_for_verdict) {
      if (!one.named) warn(one);
      one.named = true;
      one.since = now;  // the host may wait for it later only
      one.patience *= 2;
      one.suspected = {};
    }
  }

  static void warn(const Watched& one) {
    fmt::print(stderr,
               "{} has made no progress for {} s: no block has ended, and none has passed a barrier.{} Whether it ever "
               "ends is not known: Ctrl-C ends the program. D2L_WATCHDOG_SECONDS=0 turns this message off\n",
               name_of(one), patience().count(), one.where.empty() ? "" : " In " + one.where + ".");
  }

  std::mutex mutex_;
  std::condition_variable begins_;
  std::list<Watched> kernels_;
  std::atomic<pid_t> thread_{0};
};

Watcher& watcher() {
  static auto* const made = new Watcher;
  return *made;
}

thread_local Watcher::Place place_of_this_thread;

}  // namespace

WatchedKernel::WatchedKernel(const KernelLaunch& launch, BlockSource& blocks) {
  if (patience().count() > 0) place_of_this_thread = watcher().add(launch, blocks);
}
WatchedKernel::~WatchedKernel() {
  if (patience().count() > 0) watcher().remove(place_of_this_thread);
}

bool Verdict::never_ends(const Worker& worker, const Block* const* blocks, std::size_t count, std::uint64_t suspicion) {
  const auto now = Clock::now();
  if (suspicion_ != suspicion) {
    suspicion_ = suspicion;
    end_ = now + time_for_verdict;
    were_blocked_ = false;
    state_.forget();
  }
  if (now >= end_ || !state_.repeats(worker, blocks, count)) return false;
  const bool are_blocked = others_are_blocked(watcher().thread());
  if (are_blocked && were_blocked_) return true;
  were_blocked_ = are_blocked;
  state_.forget();  // another thread may have written after the last look at the memory, and waits only since then
  return false;
}

}  // namespace d2l::emulator::watchdog
