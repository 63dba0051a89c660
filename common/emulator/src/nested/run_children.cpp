// SPDX-License-Identifier: MIT
// When children run: after their parent, or in another thread of the process while the parent waits.
#include <deque>
#include <exception>
#include <iterator>

#include "execution/cores.h"
#include "execution/order.h"
#include "nested/children.h"

namespace d2l::emulator {

/// Waits for a child that can run. False if none is left, or if `enough`.
bool Children::next(std::unique_lock<std::mutex>& lock, const std::function<bool()>& enough,
                    std::shared_ptr<Child>& found) {
  changed_.wait(lock, [&] { return enough() || fault_ || !ready_.empty() || running_ == 0; });
  if (enough() || fault_ || ready_.empty()) return false;
  // Nothing orders those that are ready.
  const std::size_t at = parent_.seed == 0 ? 0 : mix(parent_.seed + ++drawn_) % ready_.size();
  found = ready_[at];
  ready_.erase(ready_.begin() + static_cast<std::ptrdiff_t>(at));
  ++running_;
  return true;
}

void Children::end(Child& child) {
  child.done = true;
  --running_;
  --of_block_[child.block];
  for (Child* const later : child.after) {
    if (--later->waits == 0) ready_.push_back(pending_.at(later));
  }
  child.after.clear();
  pending_.erase(&child);
  changed_.notify_all();
}

void Children::run_until(const std::function<bool()>& enough) {
  std::unique_lock lock(mutex_);
  for (std::shared_ptr<Child> child; next(lock, enough, child);) {
    lock.unlock();
    KernelOutcome outcome = run_with_children(child->launch, allocations_, ended_);
    child->launch.body = nullptr;  // its arguments are no longer needed
    lock.lock();
    if (outcome.fault && !fault_) fault_ = std::move(outcome.fault);
    accesses_.insert(accesses_.end(), std::make_move_iterator(outcome.accesses.begin()),
                     std::make_move_iterator(outcome.accesses.end()));
    end(*child);
  }
}

/// The calling thread of the process is in a grid, so that it cannot run another one.
void Children::run_in_other_thread(const std::function<bool()>& enough) {
  static thread_local Cores other;
  std::exception_ptr error;
  bool ran = false;
  other.run(2, [&](unsigned core) {
    if (core == 0) return;
    ran = true;
    try {
      run_until(enough);
    } catch (...) {
      error = std::current_exception();
    }
  });
  if (error) {
    fail({FaultKind::trap, "the emulator has no memory for the kernels that a kernel launches\n"});
  } else if (!ran) {
    fail({FaultKind::trap, "the system refuses the thread in which the kernels run that a kernel launches\n"});
  }
}

bool Children::run_for_stalled_parent() {
  {
    const std::lock_guard lock(mutex_);
    if (ready_.empty()) return false;
  }
  run_in_other_thread([this] { return pending_.empty(); });
  return true;
}

cudaError_t Children::synchronize(std::uint64_t block) {
  run_in_other_thread([this, block] { return of_block_[block] == 0; });
  const std::lock_guard lock(mutex_);
  return fault_ ? cudaErrorLaunchFailure : cudaSuccess;
}

namespace {

/// Runs one grid and its children. Its tail launches are put before those that wait already.
KernelOutcome run_grid(KernelLaunch& launch, const AllocationTable& allocations, const GridEnded& ended,
                       std::deque<std::shared_ptr<Child>>& tails) {
  Children children(launch, allocations, ended);
  launch.children = &children;
  KernelOutcome outcome = run_kernel(launch, allocations);
  ended(launch, outcome);
  if (!outcome.fault) {
    children.finish(outcome);
    auto own = children.take_tails();
    tails.insert(tails.begin(), std::make_move_iterator(own.begin()), std::make_move_iterator(own.end()));
  }
  launch.children = nullptr;
  return outcome;
}

}  // namespace

KernelOutcome run_with_children(KernelLaunch& launch, const AllocationTable& allocations, const GridEnded& ended) {
  std::deque<std::shared_ptr<Child>> tails;
  KernelOutcome outcome = run_grid(launch, allocations, ended, tails);
  while (!outcome.fault && !tails.empty()) {
    const std::shared_ptr<Child> child = std::move(tails.front());
    tails.pop_front();
    KernelOutcome of_child = run_grid(child->launch, allocations, ended, tails);
    outcome.fault = std::move(of_child.fault);
    outcome.accesses.insert(outcome.accesses.end(), std::make_move_iterator(of_child.accesses.begin()),
                            std::make_move_iterator(of_child.accesses.end()));
  }
  return outcome;
}

}  // namespace d2l::emulator
