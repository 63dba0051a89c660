// SPDX-License-Identifier: MIT
#include "core/capture.h"

#include <utility>

#include "core/messages.h"
#include "core/storage.h"
#include "runtime/capturing.h"

namespace d2l::detail {
namespace {

thread_local Capture* capture_of_thread = nullptr;

/// In its scope this thread captures nothing.
class PausedCapture : NonCopyable {
 public:
  PausedCapture() noexcept : capture_(capture_of_thread) { set_capture(nullptr); }
  ~PausedCapture() { set_capture(capture_); }

 private:
  Capture* capture_;
};

}  // namespace

Capture* capture_of(Device device) noexcept { return is_captured(device) ? capture_of_thread : nullptr; }

void set_capture(Capture* capture) noexcept {
  capture_of_thread = capture;
  captured_gpu = capture == nullptr ? -1 : capture->device().index();
}

void* GraphMemory::take(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  auto& idle = idle_[bytes];
  if (!idle.empty()) {
    void* const block = idle.back();
    idle.pop_back();
    return block;
  }
  const PausedCapture paused;
  blocks_.push_back(std::make_unique<Storage>(device_, bytes, false));
  return blocks_.back()->data();
}

void GraphMemory::give_back(void* block, std::size_t bytes) noexcept {
  const std::lock_guard lock(mutex_);
  try {
    idle_[bytes].push_back(block);
  } catch (...) {  // the block is not used again
    static_cast<void>(0);
  }
}

void Capture::use(const TensorImpl& tensor, bool written) {
  const auto& storage = tensor.storage;
  if (storage->data() == nullptr) return;
  const auto [place, is_new] = places_.try_emplace(storage.get(), used_.size());
  // Another storage may have had this address before.
  if (is_new || used_[place->second].storage.lock() != storage) {
    place->second = used_.size();
    used_.push_back({storage, describe(tensor), storage->graph_memory() == memory_.get(), written});
  }
  used_[place->second].written |= written;
}

void Capture::add(const backend::GraphLaunch& launch, LedgerEntry entry) {
  launches_.push_back(launch);
  entry.captured = true;
  entries_.push_back(std::move(entry));
}

}  // namespace d2l::detail
