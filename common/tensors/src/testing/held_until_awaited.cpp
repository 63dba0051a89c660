// SPDX-License-Identifier: MIT
// HeldUntilAwaited: one thread for each queue holds and releases it.
#include "d2l/held_until_awaited.h"

#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "base/non_copyable.h"

namespace d2l::testing {

/// Holds one queue from a separate thread, because the thread that holds a queue must not wait for it.
class HeldUntilAwaited::Holder : d2l::detail::NonCopyable {
 public:
  Holder(Device device, const Limits& limits)
      : device_(device), limits_(limits), left_(limits.times), thread_([this] { run(); }) {}
  ~Holder() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  /// Returns when the queue is held.
  void hold() {
    std::unique_lock lock(mutex_);
    if (state_ == State::held && !awaited_) return;
    changed_.wait(lock, [this] { return state_ == State::idle; });
    if (left_-- <= 0) return;
    awaited_ = false;
    state_ = State::wanted;
    changed_.notify_all();
    changed_.wait(lock, [this] { return state_ != State::wanted; });
  }

  /// The program is about to wait for the device.
  void notice_wait() {
    const std::lock_guard lock(mutex_);
    awaited_ = true;
    changed_.notify_all();
  }

 private:
  enum class State { idle, wanted, held };

  void become(State state) {
    state_ = state;
    changed_.notify_all();
  }

  void run() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return stopping_ || state_ == State::wanted; });
      if (stopping_) return become(State::idle);
      try {
        hold_once(lock);
      } catch (const std::exception&) {  // the queue of a lost device cannot be held
        if (!lock.owns_lock()) lock.lock();
      }
      become(State::idle);
    }
  }

  void hold_once(std::unique_lock<std::mutex>& lock) {
    HeldQueue held(device_);
    become(State::held);
    changed_.wait_for(lock, limits_.unawaited, [this] { return stopping_ || awaited_; });
    if (awaited_) changed_.wait_for(lock, limits_.longer, [this] { return stopping_; });
    awaited_ = true;  // a new hold must wait until this one ends
    lock.unlock();
    held.release();
    lock.lock();
  }

  Device device_;
  Limits limits_;
  int left_;
  std::mutex mutex_;
  std::condition_variable changed_;
  State state_ = State::idle;
  bool awaited_ = false;
  bool stopping_ = false;
  std::thread thread_;
};

struct HeldUntilAwaited::Impl {
  std::function<bool(const LedgerEntry&)> begins;
  Limits limits;
  std::mutex mutex;
  std::map<int, Holder> holders;
  std::unique_ptr<Watch> watch;

  Holder& holder(Device device) {
    const std::lock_guard lock(mutex);
    return holders.try_emplace(device.index(), device, limits).first->second;
  }

  void see(const LedgerEntry& entry) {
    if (entry.queue.is_cpu()) return;
    if (entry.kind == LedgerEntry::Kind::synchronisation) holder(entry.queue).notice_wait();
    if (begins(entry)) holder(entry.queue).hold();
  }
};

HeldUntilAwaited::HeldUntilAwaited(std::function<bool(const LedgerEntry&)> begins)
    : HeldUntilAwaited(std::move(begins), Limits()) {}

HeldUntilAwaited::HeldUntilAwaited(std::function<bool(const LedgerEntry&)> begins, Limits limits)
    : impl_(std::make_unique<Impl>()) {
  impl_->begins = std::move(begins);
  impl_->limits = limits;
  impl_->watch = std::make_unique<Watch>([impl = impl_.get()](const LedgerEntry& entry) { impl->see(entry); });
}

HeldUntilAwaited::~HeldUntilAwaited() { impl_->watch.reset(); }

void HeldUntilAwaited::hold(Device device) { impl_->holder(device).hold(); }

}  // namespace d2l::testing
