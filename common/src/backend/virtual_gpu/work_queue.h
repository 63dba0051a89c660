// SPDX-License-Identifier: MIT
// WorkQueue: one thread that does the work of one virtual GPU, in order, until a piece of it fails.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "backend/virtual_gpu/delays.h"
#include "backend/virtual_gpu/ring.h"
#include "backend/virtual_gpu/work.h"

namespace d2l::backend {

/// Work is numbered from 1; "finished(n)" means that the first n pieces are done, or were dropped because the device
/// is lost.
class WorkQueue {
 public:
  /// `perform` does one piece of work, on the queue's thread; what it throws makes the device lost.
  WorkQueue(int device, std::function<void(Work&)> perform);
  ~WorkQueue();
  WorkQueue(const WorkQueue&) = delete;
  WorkQueue& operator=(const WorkQueue&) = delete;

  /// Adds a piece of work; `delayed` when it is one that seeded delays apply to.
  void push(Work work, bool delayed);
  /// How many pieces of work were added so far.
  [[nodiscard]] std::uint64_t issued() const noexcept { return issued_.load(); }
  [[nodiscard]] bool finished(std::uint64_t sequence) const noexcept { return finished_.load() >= sequence; }
  /// The host waits; Error when this thread itself holds up the work, so that the wait would not end.
  void wait_from_host(std::uint64_t sequence);
  /// The thread of `waiter` waits, until the work is finished or `waiter` is stopped.
  void wait_from_queue(WorkQueue& waiter, std::uint64_t sequence);

  /// No work begins until let_go() was called as often as hold().
  void hold();
  void let_go();

  [[nodiscard]] bool lost() const noexcept { return lost_.load(); }
  /// Throws what made the device lost, if it is; `call` is what was attempted.
  void require_usable(const char* call) const;
  /// Ends the thread after the work at hand, drops the rest, and makes the device lost for this reason.
  void request_stop(const std::string& why);
  void join();

 private:
  void let_the_work_catch_up();
  void run();
  void take_one(std::unique_lock<std::mutex>& lock);
  void perform(Work& work);
  void finish_one();
  void drop_all();
  void lose(const std::string& why);
  /// True when work up to `sequence` cannot go on because the calling thread holds this queue.
  [[nodiscard]] bool held_up_by_this_thread(std::uint64_t sequence) const;
  [[nodiscard]] const WorkQueue* find_queue_held_by_this_thread(std::uint64_t sequence) const;

  const int device_;
  const std::function<void(Work&)> perform_;

  mutable std::mutex mutex_;
  std::condition_variable work_arrived_;
  std::condition_variable work_finished_;
  Ring<Work> works_;
  DelaySequence delays_;
  std::vector<std::thread::id> holders_;
  bool idle_ = false;
  bool running_ = false;
  bool stopping_ = false;
  std::string why_lost_;
  std::thread thread_;

  std::atomic<std::uint64_t> issued_{0};
  std::atomic<std::uint64_t> finished_{0};
  std::atomic<int> waiters_{0};
  std::atomic<bool> lost_{false};
  std::atomic<bool> stop_requested_{false};
  std::atomic<const WorkQueue*> awaited_{nullptr};  ///< the queue that the work at hand waits for
  std::atomic<std::uint64_t> awaited_sequence_{0};
};

}  // namespace d2l::backend
