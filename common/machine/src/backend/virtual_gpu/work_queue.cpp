// SPDX-License-Identifier: MIT
// WorkQueue: takes work, executes it, and notifies the waiting threads.
#include "backend/virtual_gpu/work_queue.h"

#include <fmt/format.h>
#include <omp.h>
#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

#include "d2l/error.h"
#include "values/gpu_type.h"

namespace d2l::backend {
namespace {

/// The number of holds; while it is 0, a wait cannot be endless because of a held queue.
std::atomic<int> held_queues{0};
constexpr auto check_interval = std::chrono::milliseconds(1);
constexpr int max_queues = 64;
/// With more pending items than this, the issuing thread waits until half of them are done: it limits host memory.
constexpr std::uint64_t max_pending = 16384;
/// A queue with more bytes of pageable copies limits its pending work in the same way.
constexpr std::size_t max_staged_bytes = std::size_t{256} << 20;
std::atomic<bool> forked{false};

void notice_forks() {
  static const int registered = pthread_atfork(nullptr, nullptr, [] { forked = true; });
  static_cast<void>(registered);
}

/// The thread that ends the process; none before that.
std::atomic<std::thread::id> ending_thread{};
/// For how long another thread waits for the end; then it gets the error after all, because the end may wait for it.
constexpr auto longest_end = std::chrono::seconds(10);
/// True in the threads of queues, which the end of the process joins.
thread_local bool runs_a_queue = false;

bool is_staged(const Work::What& what) {
  const auto* const copy = std::get_if<CopyWork>(&what);
  return copy != nullptr && copy->staging.data() != nullptr;
}

}  // namespace

bool in_forked_child() noexcept { return forked.load(); }
void note_end_of_process() noexcept { ending_thread = std::this_thread::get_id(); }

WorkQueue::WorkQueue(int device, std::function<void(Work&)> perform, int number)
    : device_(device),
      perform_(std::move(perform)),
      delays_(device, number),
      health_(detail::gpu_number(device).str()) {
  notice_forks();
}

WorkQueue::~WorkQueue() {
  request_stop("the virtual GPU is gone");
  join();
}

void WorkQueue::push(Work::What what, std::shared_ptr<Span> span) {
  bool wake = false;
  if (in_forked_child()) return;
  limit_pending_work(what);
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) return;
    const bool delayed = std::holds_alternative<CopyWork>(what) || std::holds_alternative<LaunchWork>(what) ||
                         std::holds_alternative<GraphWork>(what) || std::holds_alternative<CallWork>(what);
    if (!thread_.joinable()) start_thread();
    resting_ = false;
    works_.push({std::move(what), std::move(span), delayed ? delays_.next() : std::nullopt});
    issued_.fetch_add(1);
    wake = idle_ && holders_.empty();
  }
  if (wake) work_arrived_.notify_one();
}

void WorkQueue::start_thread() {
  try {
    thread_ = std::thread([this] {
      runs_a_queue = true;
      run();
    });
  } catch (const std::system_error& error) {
    throw Error(
        fmt::format("[{}] cannot start the thread of a virtual GPU: {}. Use fewer threads or less memory, or raise "
                    "the limits of the process (ulimit -u, ulimit -v)",
                    detail::gpu_number(device_).str(), error.what()));
  }
}

void WorkQueue::limit_pending_work(const Work::What& next) {
  const std::uint64_t finished = finished_.load();  // first: another thread may add work that is finished at once
  const std::uint64_t issued = issued_.load();
  const std::uint64_t pending = issued - finished;
  const bool too_large = is_staged(next) && StagingBuffer::pending_bytes() > max_staged_bytes;
  if ((pending < max_pending && !too_large) || held_queues.load() > 0) return;
  wait_from_host(issued - pending / 2);
}

void WorkQueue::wait_from_host(std::uint64_t sequence) {
  if (finished(sequence) || in_forked_child()) return;
  const WaitingHost waiting;
  waiters_.fetch_add(1);
  while (!finished(sequence)) {
    const bool watch = held_queues.load() > 0;
    if (const auto* held = watch ? find_queue_held_by_this_thread(sequence) : nullptr) {
      waiters_.fetch_sub(1);
      throw Error(
          fmt::format("[synchronize] waiting for {} would never end: this thread holds the queue of {}. "
                      "Release it first, with HeldQueue::release() or the end of its scope",
                      detail::gpu_number(device_).str(), detail::gpu_number(held->device_).str()));
    }
    std::unique_lock lock(mutex_);
    if (finished(sequence)) break;
    if (watch) {
      work_finished_.wait_for(lock, check_interval);
    } else {
      work_finished_.wait(lock);
    }
  }
  waiters_.fetch_sub(1);
}

void WorkQueue::wait_from_queue(WorkQueue& waiter, std::uint64_t sequence) {
  if (finished(sequence)) return;
  waiter.awaited_sequence_ = sequence;
  waiter.awaited_ = this;
  waiters_.fetch_add(1);
  {
    std::unique_lock lock(mutex_);
    work_finished_.wait(lock, [&] { return finished(sequence) || waiter.stopping_ || stopping_; });
  }
  waiters_.fetch_sub(1);
  waiter.awaited_ = nullptr;
}

void WorkQueue::hold(std::thread::id holder) {
  const std::lock_guard lock(mutex_);
  holders_.push_back(holder);
  held_queues.fetch_add(1);
}

void WorkQueue::release() {
  if (in_forked_child()) return;
  {
    const std::lock_guard lock(mutex_);
    if (holders_.empty()) return;
    const auto mine = std::find(holders_.begin(), holders_.end(), std::this_thread::get_id());
    holders_.erase(mine != holders_.end() ? mine : holders_.begin());
    held_queues.fetch_sub(1);
  }
  work_arrived_.notify_one();
}

bool WorkQueue::held_up_by_this_thread(std::uint64_t sequence) const {
  const std::lock_guard lock(mutex_);
  if (std::find(holders_.begin(), holders_.end(), std::this_thread::get_id()) == holders_.end()) return false;
  return finished_.load() + (running_ ? 1 : 0) < sequence;
}

const WorkQueue* WorkQueue::find_queue_held_by_this_thread(std::uint64_t sequence) const {
  const WorkQueue* queue = this;
  for (int i = 0; i < max_queues && queue != nullptr; ++i) {
    if (queue->held_up_by_this_thread(sequence)) return queue;
    sequence = queue->awaited_sequence_;
    queue = queue->awaited_;
  }
  return nullptr;
}

void WorkQueue::require_usable(const char* call) const {
  if (in_forked_child()) {
    throw FatalDeviceError(
        fmt::format("[{}] CUDA error: initialization error: this process was made by fork(), and the work of {} "
                    "stays in the parent. Use GPUs only in the parent, or use them first in the child",
                    call, detail::gpu_number(device_).str()));
  }
  const auto ending = ending_thread.load();
  if (ending != std::thread::id() && ending != std::this_thread::get_id() && !runs_a_queue) {
    std::this_thread::sleep_for(longest_end);
  }
  health_.require(call);
}

void WorkQueue::request_stop(const char* why) noexcept {
  health_.lose(why);
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  work_arrived_.notify_all();
  work_finished_.notify_all();
}

void WorkQueue::rest() noexcept {
  {
    const std::lock_guard lock(mutex_);
    resting_ = true;
  }
  work_arrived_.notify_one();
}

void WorkQueue::join() {
  if (thread_.joinable()) thread_.join();
  drop_all();
}

void WorkQueue::drop_all() {
  while (true) {
    const std::unique_lock lock(mutex_);
    if (works_.empty()) break;
    works_.pop();
    finished_.fetch_add(1);
  }
  work_finished_.notify_all();
}

void WorkQueue::run() {
  pthread_setname_np(pthread_self(), detail::gpu_number(device_).str().substr(0, 15).c_str());
  omp_set_num_threads(1);
  std::unique_lock lock(mutex_);
  while (true) {
    idle_ = true;
    work_arrived_.wait(lock, [this] { return stopping_ || (works_.empty() ? resting_ : holders_.empty()); });
    idle_ = false;
    if (stopping_) return;
    if (works_.empty()) return thread_.detach();  // from now on, push() starts another thread
    const auto& delay = works_.front().delay;
    if (delay && !health_.faulty() && !delay->is_over()) {
      const auto soon = std::chrono::steady_clock::now() + std::chrono::microseconds(100);
      work_arrived_.wait_until(lock, std::max(soon, delay->earliest_end()));
      continue;
    }
    take_one(lock);
  }
}

void WorkQueue::take_one(std::unique_lock<std::mutex>& lock) {
  {
    Work work = works_.pop();
    running_ = true;
    lock.unlock();
    perform(work);
  }
  finish_one();
  lock.lock();
  running_ = false;
}

void WorkQueue::perform(Work& work) {
  if (health_.faulty()) return;
  try {
    if (work.span) work.span->began = steady_nanoseconds();
    perform_(work);
    if (work.span) work.span->ended = steady_nanoseconds();
  } catch (const IndexError& error) {  // on a GPU, the kernel's assertion would fail
    try {
      health_.lose(fmt::format("CUDA error: device-side assert triggered: {}", error.what()));
    } catch (const std::exception&) {
      health_.lose(error.what());
    }
  } catch (const std::exception& error) {
    health_.lose(error.what());
  }
}

void WorkQueue::finish_one() {
  finished_.fetch_add(1);
  if (waiters_.load() == 0) return;
  { const std::lock_guard lock(mutex_); }
  work_finished_.notify_all();
}

}  // namespace d2l::backend
