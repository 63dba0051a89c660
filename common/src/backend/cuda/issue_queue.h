// SPDX-License-Identifier: MIT
// IssueQueue: puts work in a stream at once or, while it is held, later and in the same order.
//
// A test holds a queue on the host's side, not by a kernel or a callback that blocks the stream: the driver may wait
// for all streams when it loads a kernel on first use, and would wait for ever.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "backend/cuda/gate.h"

namespace d2l::backend::cuda {

class IssueQueue : public std::enable_shared_from_this<IssueQueue> {
 public:
  using Work = std::function<void()>;

  /// `run_late` is given work that is issued late, by whatever thread; it must not throw.
  explicit IssueQueue(std::function<void(const Work&)> run_late) : run_late_(std::move(run_late)) {}

  /// Calls `work`, which puts something in the stream; `issued`, if given, is opened after that.
  template <class Callable>
  void issue(const Callable& work, std::shared_ptr<Gate> issued = nullptr) {
    issue_either(
        work, [&work] { return Work(work); }, std::move(issued));
  }
  /// The same; when it must wait, what `prepare` makes is issued in its place.
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
  /// The same, once `needed` is open; what comes after it waits as well.
  void issue_after(std::shared_ptr<Gate> needed, Work work);

  /// From now on work is accepted and not issued.
  void hold();
  /// Issues what has come in the meantime, if this was the last hold.
  void let_go();
  [[nodiscard]] bool is_held_by_this_thread() const;
  /// True when everything that was accepted is in the stream.
  [[nodiscard]] bool is_issued() const;
  /// The host waits until everything that was accepted is in the stream.
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
  std::thread::id holder_;
};

}  // namespace d2l::backend::cuda
