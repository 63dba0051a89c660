// SPDX-License-Identifier: MIT
// Storage: the memory of a tensor, and the pending copies that use it.
#include "core/storage.h"

#include <pthread.h>

#include <utility>

#include "backend/cpu/host_memory.h"
#include "core/capture.h"
#include "ledger/ledger.h"
#include "ledger/memory_counts.h"
#include "runtime/runtime.h"

namespace d2l::detail {
namespace {

void record_memory(LedgerEntry::Kind kind, const char* name, Device device, const void* memory, std::size_t bytes) {
  if (ledger_is_open()) {
    record({.kind = kind,
            .name = name,
            .queue = device,
            .bytes = static_cast<std::int64_t>(bytes),
            .result = reinterpret_cast<std::uint64_t>(memory)});
  }
}

void release_host_memory(void* memory, std::size_t bytes, bool pinned) noexcept {
  if (pinned) {
    gpu_backend().release_pinned(memory, bytes);
  } else {
    backend::cpu_backend().release(0, memory, bytes);
  }
}

/// Forgets copies that are done; true if none is left.
bool are_done(std::vector<Storage::Pending>& copies) noexcept {
  std::erase_if(copies, [](const auto& pending) { return pending.mark->done(); });
  return copies.empty();
}

/// Host memory without a tensor that pending copies still use.
class Orphans {
 public:
  using Blocks = std::list<Storage::PendingCopies>;

  /// Moves the one element of `block` here. Above the limit, it waits for the oldest ones.
  void add(Blocks& block) noexcept {
    std::unique_lock lock(mutex_);
    bytes_ += block.front().bytes;
    blocks_.splice(blocks_.end(), block);
    release_done();
    while (bytes_ > max_bytes) {
      Blocks oldest;
      oldest.splice(oldest.end(), blocks_, blocks_.begin());
      lock.unlock();
      const bool done = wait_for(oldest.front());
      lock.lock();
      blocks_.splice(blocks_.begin(), oldest);
      if (!done) return;  // this thread holds the queue, or the device is lost
      release(blocks_.begin());
    }
  }
  /// Releases the blocks that are no longer used.
  void collect() noexcept {
    const std::lock_guard lock(mutex_);
    release_done();
  }
  [[nodiscard]] std::mutex& mutex() noexcept { return mutex_; }

 private:
  void release_done() noexcept {
    for (auto next = blocks_.begin(); next != blocks_.end();) {
      const auto now = next++;
      if (are_done(now->copies)) release(now);
    }
  }
  static constexpr std::size_t max_bytes = std::size_t{256} << 20;

  static bool wait_for(Storage::PendingCopies& block) noexcept {
    try {
      for (const auto& pending : block.copies) pending.mark->wait();
      return true;
    } catch (const std::exception&) {
      return are_done(block.copies);
    }
  }
  void release(Blocks::iterator block) noexcept {
    bytes_ -= block->bytes;
    release_host_memory(block->memory, block->bytes, block->pinned);
    blocks_.erase(block);
  }

  std::mutex mutex_;
  Blocks blocks_;
  std::size_t bytes_ = 0;
};

/// Never destroyed: a queue may still use its blocks when the process ends.
Orphans& orphans() {
  static auto* const instance = [] {
    static_cast<void>(backend::host_memory::usage());  // fork() locks in the other order: this mutex, then the memory's
    constexpr auto unlock = [] { orphans().mutex().unlock(); };
    pthread_atfork([] { orphans().mutex().lock(); }, unlock, unlock);
    return new Orphans;
  }();
  return *instance;
}

}  // namespace

Storage::Storage(Device device, std::size_t bytes, bool pinned) : device_(device), pinned_(pinned), bytes_(bytes) {
  take_memory();
}

void Storage::drop_memory() {
  if (data_ == nullptr) return;
  wait_until_ready();
  if (graph_memory_ == nullptr) record_memory(LedgerEntry::Kind::release, "release", device_, data_, bytes_);
  release_memory();
  data_ = nullptr;
}

void Storage::take_memory() {
  auto& backend = backend_of(device_);
  if (bytes_ == 0 || data_ != nullptr) return;
  if (auto* const capture = capture_of(device_)) {
    graph_memory_ = capture->memory();
    data_ = graph_memory_->take(bytes_);
    return;
  }
  if (pinned_) orphans().collect();  // so that their memory is used again
  data_ = pinned_ ? gpu_backend().allocate_pinned(bytes_) : backend.allocate(number_of(device_), bytes_);
  if (!device_.is_cpu()) count_allocation(device_.index(), bytes_);
  try {
    record_memory(LedgerEntry::Kind::allocation, "allocate", device_, data_, bytes_);
  } catch (...) {
    release_memory();
    data_ = nullptr;
    throw;
  }
}

Storage::Storage(std::shared_ptr<Storage> memory, Device label)
    : device_(label),
      pinned_(memory->pinned_),
      data_(memory->data_),
      bytes_(memory->bytes_),
      memory_(std::move(memory)) {}

Storage::Storage(Device device, void* memory, std::size_t bytes, std::function<void(void*)> deleter)
    : device_(device), data_(memory), bytes_(bytes), belongs_to_caller_(true), deleter_(std::move(deleter)) {}

Storage::~Storage() {
  if (belongs_to_caller_) {
    give_back();
    return;
  }
  if (memory_ != nullptr || data_ == nullptr) return;
  try {
    if (graph_memory_ == nullptr) record_memory(LedgerEntry::Kind::release, "release", device_, data_, bytes_);
  } catch (...) {
    static_cast<void>(0);  // the memory is released, whether or not a ledger has memory for the entry
  }
  if (pending_.empty() || are_done(pending_.front().copies)) {
    release_memory();
    return;
  }
  auto& block = pending_.front();
  block.memory = data_;
  block.bytes = bytes_;
  block.pinned = pinned_;
  orphans().add(pending_);
}

void Storage::give_back() noexcept {
  try {
    wait_until_ready();
    if (deleter_) deleter_(data_);
  } catch (...) {
    static_cast<void>(0);  // a lost device does not use the memory; a destructor cannot pass on the error of a deleter
  }
}

void Storage::release_memory() noexcept {
  if (graph_memory_ != nullptr) {
    graph_memory_->give_back(data_, bytes_);
    graph_memory_ = nullptr;
  } else if (device_.is_cpu()) {
    release_host_memory(data_, bytes_, pinned_);
  } else {
    count_release(device_.index(), bytes_);
    gpu_backend().release(device_.index(), data_, bytes_);
  }
}

void Storage::set_pending(Device device, std::shared_ptr<backend::Mark> mark, Use use) {
  const std::lock_guard lock(pending_mutex_);
  orphans();  // made here, because the destructor must not allocate
  if (pending_.empty()) pending_.emplace_back();
  auto& copies = pending_.front().copies;
  std::erase_if(copies, [](const Pending& pending) { return pending.use == Use::read && pending.mark->done(); });
  copies.push_back({device, std::move(mark), use});
  has_pending_.store(true, std::memory_order_release);
}

void Storage::finish_pending(Use least) {
  const std::lock_guard lock(pending_mutex_);
  auto& copies = pending_.front().copies;
  for (auto pending = copies.begin(); pending != copies.end();) {
    if (least == Use::write && pending->use == Use::read) {
      ++pending;
      continue;
    }
    const HostWait wait("wait", pending->device);
    pending->mark->wait();
    pending = copies.erase(pending);
  }
  has_pending_.store(!copies.empty(), std::memory_order_release);
}

void Storage::order_after_pending(Device device, Use use) {
  if (!has_pending_.load(std::memory_order_acquire)) return;
  const std::lock_guard lock(pending_mutex_);
  for (const auto& pending : pending_.front().copies) {
    if (pending.device == device || (use == Use::read && pending.use == Use::read)) continue;
    gpu_backend().wait(device.index(), pending.mark);
    record({.kind = LedgerEntry::Kind::event_wait, .name = "order copies", .queue = device, .source = pending.device});
  }
}

}  // namespace d2l::detail
