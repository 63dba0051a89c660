// SPDX-License-Identifier: MIT
// WorkQueue: one thread that executes the work of one virtual GPU in order, until an item fails.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "backend/health.h"
#include "backend/virtual_gpu/delays.h"
#include "backend/virtual_gpu/ring.h"
#include "backend/virtual_gpu/work.h"
#include "base/non_copyable.h"

namespace d2l::backend {

/// Items of work are numbered from 1; finished(n) means that the first n items are done, or were dropped because the
/// device is lost.
class WorkQueue : detail::NonCopyable {
 public:
  /// `perform` executes one item on the queue's thread; if it throws, the device is lost. `number` is 0 for the first
  /// queue of the device.
  WorkQueue(int device, std::function<void(Work&)> perform, int number = 0);
  ~WorkQueue();

  /// Adds an item of work. Seeded delays apply to copies and launches.
  void push(Work::What what, std::shared_ptr<Span> span = nullptr);
  /// The number of items added so far.
  [[nodiscard]] std::uint64_t issued() const noexcept { return issued_.load(); }
  [[nodiscard]] bool finished(std::uint64_t sequence) const noexcept { return finished_.load() >= sequence; }
  /// The host waits; Error if the calling thread holds the work back, so that the wait would never end.
  void wait_from_host(std::uint64_t sequence);
  /// The thread of `waiter` waits until the work is finished or `waiter` is stopped.
  void wait_from_queue(WorkQueue& waiter, std::uint64_t sequence);

  /// No work begins until release() was called as often as hold().
  void hold(std::thread::id holder = std::this_thread::get_id());
  void release();

  /// FatalDeviceError with the reason if the device is lost; `call` is the attempted operation.
  void require_usable(const char* call) const;
  /// Ends the thread after the current item, drops the other items, and makes the device lost for this reason.
  void request_stop(const char* why) noexcept;
  /// Ends the thread once the queue is empty; further work starts another one.
  void rest() noexcept;
  void join();

 private:
  void limit_pending_work(const Work::What& next);
  void start_thread();
  void run();
  void take_one(std::unique_lock<std::mutex>& lock);
  void perform(Work& work);
  void finish_one();
  void drop_all();
  /// True if work up to `sequence` cannot proceed because the calling thread holds this queue.
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
  bool resting_ = false;
  Health health_;
  std::thread thread_;

  std::atomic<std::uint64_t> issued_{0};
  std::atomic<std::uint64_t> finished_{0};
  std::atomic<int> waiters_{0};
  std::atomic<bool> stopping_{false};
  std::atomic<const WorkQueue*> awaited_{nullptr};  ///< the queue that the current work waits for
  std::atomic<std::uint64_t> awaited_sequence_{0};
};

/// True in a child process of fork(), which has the queues of its parent but not their threads.
bool in_forked_child() noexcept;
/// Called by the thread that ends the process: when another thread uses a device from now on, it waits for that end
/// instead of an error that would abort the process.
void note_end_of_process() noexcept;

}  // namespace d2l::backend
