// SPDX-License-Identifier: MIT
// Storage: the memory of a tensor, and the pending copies that use it.
#include "core/storage.h"

#include <algorithm>
#include <utility>

#include "ledger/ledger.h"
#include "runtime/runtime.h"

namespace d2l::detail {
namespace {

void record_memory(LedgerEntry::Kind kind, const char* name, Device device, std::size_t bytes) {
  if (ledger_is_open()) {
    record({.kind = kind, .name = name, .queue = device, .bytes = static_cast<std::int64_t>(bytes)});
  }
}

void release_host_memory(void* memory, std::size_t bytes, bool pinned) noexcept {
  if (pinned) {
    gpu_backend().release_pinned(memory, bytes);
  } else {
    backend::cpu_backend().release(0, memory, bytes);
  }
}

/// Host memory without a tensor that pending copies still use.
class Orphans {
 public:
  struct Block {
    void* memory;
    std::size_t bytes;
    bool pinned;
    std::vector<std::shared_ptr<backend::Mark>> marks;
  };

  void add(Block block) {
    const std::lock_guard lock(mutex_);
    sweep();
    blocks_.push_back(std::move(block));
  }

 private:
  void sweep() {
    std::erase_if(blocks_, [](const Block& block) {
      const auto done = [](const auto& mark) { return mark->done(); };
      if (!std::all_of(block.marks.begin(), block.marks.end(), done)) return false;
      release_host_memory(block.memory, block.bytes, block.pinned);
      return true;
    });
  }

  std::mutex mutex_;
  std::vector<Block> blocks_;
};

/// Never destroyed: a queue may still use its blocks when the process ends.
Orphans& orphans() {
  static auto* const instance = new Orphans;
  return *instance;
}

}  // namespace

Storage::Storage(Device device, std::size_t bytes, bool pinned) : device_(device), pinned_(pinned), bytes_(bytes) {
  auto& backend = backend_of(device);
  if (bytes == 0) return;
  data_ = pinned ? gpu_backend().allocate_pinned(bytes) : backend.allocate(number_of(device), bytes);
  record_memory(LedgerEntry::Kind::allocation, "allocate", device, bytes);
}

Storage::Storage(std::shared_ptr<Storage> memory, Device label)
    : device_(label),
      pinned_(memory->pinned_),
      data_(memory->data_),
      bytes_(memory->bytes_),
      memory_(std::move(memory)) {}

Storage::~Storage() {
  if (memory_ != nullptr || data_ == nullptr) return;
  try {
    record_memory(LedgerEntry::Kind::release, "release", device_, bytes_);
    if (has_pending_.load(std::memory_order_acquire)) {
      std::vector<std::shared_ptr<backend::Mark>> marks;
      for (auto& pending : pending_) {
        if (!pending.mark->done()) marks.push_back(std::move(pending.mark));
      }
      if (!marks.empty()) {
        orphans().add({data_, bytes_, pinned_, std::move(marks)});
        return;
      }
    }
  } catch (...) {
    return;  // the memory may still be in use, so it is not released
  }
  if (device_.is_cpu()) {
    release_host_memory(data_, bytes_, pinned_);
  } else {
    gpu_backend().release(device_.index(), data_, bytes_);
  }
}

void Storage::set_pending(Device device, std::shared_ptr<backend::Mark> mark, Use use) {
  const std::lock_guard lock(pending_mutex_);
  std::erase_if(pending_, [](const Pending& pending) { return pending.use == Use::read && pending.mark->done(); });
  pending_.push_back({device, std::move(mark), use});
  has_pending_.store(true, std::memory_order_release);
}

void Storage::finish_pending(Use least) {
  const std::lock_guard lock(pending_mutex_);
  for (auto pending = pending_.begin(); pending != pending_.end();) {
    if (least == Use::write && pending->use == Use::read) {
      ++pending;
      continue;
    }
    const HostWait wait("wait", pending->device);
    pending->mark->wait();
    pending = pending_.erase(pending);
  }
  has_pending_.store(!pending_.empty(), std::memory_order_release);
}

void Storage::order_after_pending(Device device, Use use) {
  if (!has_pending_.load(std::memory_order_acquire)) return;
  const std::lock_guard lock(pending_mutex_);
  for (const auto& pending : pending_) {
    if (pending.device == device || (use == Use::read && pending.use == Use::read)) continue;
    gpu_backend().wait(device.index(), pending.mark);
    record({.kind = LedgerEntry::Kind::event_wait, .name = "order copies", .queue = device, .source = pending.device});
  }
}

}  // namespace d2l::detail
