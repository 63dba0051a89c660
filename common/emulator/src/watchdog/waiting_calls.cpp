// SPDX-License-Identifier: MIT
#include "watchdog/waiting_calls.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdio>
#include <iterator>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "hip/program.h"
#include "watchdog/blocked_threads.h"
#include "watchdog/watchdog.h"

namespace d2l::emulator::watchdog {

struct WaitingCall::Entry {
  std::function<std::string()> text;
  std::function<void(const std::string&)> give_up;
  std::chrono::steady_clock::time_point since;
  bool told = false;
};

namespace {

using Steady = std::chrono::steady_clock;
constexpr int looks_for_verdict = 3;

/// The thread that looks. Never destroyed: a thread may wait until the process has ended.
class Looker {
 public:
  using Place = std::list<WaitingCall::Entry>::iterator;

  Place add(WaitingCall::Entry entry) {
    const std::lock_guard lock(mutex_);
    start();
    waiting_.push_back(std::move(entry));
    begins_.notify_one();
    return std::prev(waiting_.end());
  }
  void remove(Place place) {
    const std::lock_guard lock(mutex_);
    waiting_.erase(place);
    ++removed_;
  }

 private:
  void start() {
    if (std::exchange(started_, true)) return;
    try {
      std::thread([this] { look(); }).detach();
    } catch (const std::system_error&) {  // no more threads: nothing is watched
    }
  }
  [[noreturn]] void look() {
    const auto period = std::min(std::chrono::milliseconds(patience()) / 4, std::chrono::milliseconds(500));
    for (;;) {
      {
        std::unique_lock lock(mutex_);
        begins_.wait(lock, [this] { return !waiting_.empty(); });
      }
      std::this_thread::sleep_for(period);
      if (oldest() < patience()) continue;
      decide(never_ends());
    }
  }
  Steady::duration oldest() {
    const std::lock_guard lock(mutex_);
    return waiting_.empty() ? Steady::duration::zero() : Steady::now() - waiting_.front().since;
  }
  /// Looks several times, since it cannot see all threads at one moment.
  bool never_ends() {
    const auto count = [this] {
      const std::lock_guard lock(mutex_);
      return removed_;
    };
    const auto before = count();
    for (int i = 0; i < looks_for_verdict; ++i) {
      if (!others_are_blocked(::gettid())) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    return count() == before;
  }
  void decide(bool never) {
    const std::lock_guard lock(mutex_);
    for (WaitingCall::Entry& one : waiting_) {
      if (never) {
        one.give_up(one.text() + ", and no other thread of the program runs that could change that");
      } else if (!std::exchange(one.told, true) && Steady::now() - one.since >= patience()) {
        fmt::print(
            stderr,
            "{}. It has waited for {} s; Ctrl-C ends the program. D2L_WATCHDOG_SECONDS=0 turns this message off\n",
            in_names_of_program(one.text()), patience().count());
      }
    }
  }

  std::mutex mutex_;
  std::condition_variable begins_;
  std::list<WaitingCall::Entry> waiting_;
  std::size_t removed_ = 0;
  bool started_ = false;
};

Looker& looker() {
  static auto* const made = new Looker;
  return *made;
}

}  // namespace

WaitingCall::WaitingCall(std::function<std::string()> text, std::function<void(const std::string&)> give_up) {
  if (patience().count() > 0) place_ = looker().add({std::move(text), std::move(give_up), Steady::now()});
}
WaitingCall::~WaitingCall() {
  if (patience().count() > 0) looker().remove(place_);
}

}  // namespace d2l::emulator::watchdog
