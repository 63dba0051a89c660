// SPDX-License-Identifier: MIT
// IssueQueue: adds work to a stream at once or, while the queue is held, later in the same order.
//
// The queue is held on the host. A kernel or callback that blocks the stream would not work: the driver may wait for
// all streams when it first loads a kernel, and that wait would never end.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace d2l::backend::cuda {

/// Opens when a mark is added to its stream; it stays closed while the queue of the mark is held.
class Gate {
 public:
  [[nodiscard]] bool is_open() const {
    const std::lock_guard lock(mutex_);
    return open_;
  }
  /// The host waits.
  void wait() const {
    std::unique_lock lock(mutex_);
    opened_.wait(lock, [this] { return open_; });
  }
  /// Wakes the waiting threads, and calls the callbacks on this thread.
  void open() {
    std::vector<std::function<void()>> callbacks;
    {
      const std::lock_guard lock(mutex_);
      open_ = true;
      callbacks.swap(callbacks_);
    }
    opened_.notify_all();
    for (const auto& callback : callbacks) callback();
  }
  /// Registers a callback; returns false, without registering it, if the gate is already open.
  bool call_when_open(std::function<void()> callback) {
    const std::lock_guard lock(mutex_);
    if (open_) return false;
    callbacks_.push_back(std::move(callback));
    return true;
  }

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable opened_;
  bool open_ = false;
  std::vector<std::function<void()>> callbacks_;
};

class IssueQueue : public std::enable_shared_from_this<IssueQueue> {
 public:
  using Work = std::function<void()>;

  /// `run_late` receives work that is issued late, on any thread; it must not throw.
  explicit IssueQueue(std::function<void(const Work&)> run_late) : run_late_(std::move(run_late)) {}

  /// Calls `work`, which adds work to the stream, then opens `issued`, if given.
  template <class Callable>
  void issue(const Callable& work, std::shared_ptr<Gate> issued = nullptr) {
    issue_either(
        work, [&work] { return Work(work); }, std::move(issued));
  }
  /// The same, but if it must wait, the result of `prepare` is issued instead.
  template <class Callable, class Prepare>
  void issue_either(const Callable& work, const Prepare& prepare, std::shared_ptr<Gate> issued = nullptr) {
    {
      const std::lock_guard lock(mutex_);
      if (holds_ > 0 || !waiting_.empty()) {
        waiting_.push_back({prepare(), nullptr, std::move(issued)});
        return;
      }
      work();
    }
    if (issued) issued->open();
  }
  /// The same, once `needed` is open; all later work waits as well.
  void issue_after(std::shared_ptr<Gate> needed, Work work);

  /// From now on work is accepted but not issued. Holds nest.
  void hold();
  /// Undoes one hold; the last one issues the accepted work.
  void release();
  [[nodiscard]] bool is_held_by_this_thread() const;
  /// True if work is issued at once.
  [[nodiscard]] bool is_open() const;
  /// True if all accepted work is in the stream.
  [[nodiscard]] bool is_issued() const;
  /// The host waits until all accepted work is in the stream, and its gates are open.
  void wait_until_issued() const;

 private:
  struct Item {
    Work work;
    std::shared_ptr<Gate> needed;
    std::shared_ptr<Gate> issued;
  };

  void resume();

  std::function<void(const Work&)> run_late_;
  mutable std::mutex mutex_;
  mutable std::condition_variable emptied_;
  std::deque<Item> waiting_;
  int holds_ = 0;
  int opening_ = 0;  // threads that open the gates of issued work
  std::thread::id holder_;
};

}  // namespace d2l::backend::cuda
