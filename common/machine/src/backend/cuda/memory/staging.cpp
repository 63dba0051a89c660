// SPDX-License-Identifier: MIT
// The ring: pieces take room at its end and return it at its beginning, in the order of the stream.
#include "backend/cuda/memory/staging.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "backend/cuda/errors/check.h"
#include "backend/cuda/memory/pinned_memory.h"

namespace d2l::backend::cuda {

Staging::Staging(std::shared_ptr<IssueQueue> queue, std::shared_ptr<EventPool> events, cudaStream_t stream,
                 const Health& health)
    : queue_(std::move(queue)), events_(std::move(events)), stream_(stream), health_(health) {}

Staging::~Staging() {
  abandon();
  while (!pieces_.empty()) {
    ignore(cudaEventSynchronize(pieces_.front().copied.get()));
    finish_oldest(false);
  }
  if (ring_ != nullptr) pinned_memory().release(ring_, ring_bytes);
}

bool Staging::to_device(const void* host, std::size_t bytes, const AddPiece& add) {
  return transfer(host, nullptr, bytes, add);
}

bool Staging::to_host(void* host, std::size_t bytes, const AddPiece& add) {
  return transfer(nullptr, host, bytes, add);
}

bool Staging::transfer(const void* source, void* destination, std::size_t bytes, const AddPiece& add) {
  bool waited = false;
  for (std::size_t offset = 0; offset < bytes;) {
    const std::lock_guard lock(mutex_);
    Piece piece = take(bytes - offset, waited);
    if (source != nullptr) std::memcpy(piece.pinned, static_cast<const std::byte*>(source) + offset, piece.bytes);
    if (destination != nullptr) piece.destination = static_cast<std::byte*>(destination) + offset;
    const auto work = [add, pinned = piece.pinned, offset, count = piece.bytes, event = piece.copied,
                       stream = stream_] {
      add(pinned, offset, count);
      D2L_CUDA_CHECK(cudaEventRecord(event.get(), stream));
    };
    offset += piece.bytes;
    pieces_.push_back(std::move(piece));
    try {
      queue_->issue(work, pieces_.back().issued);
    } catch (...) {
      pieces_.back().destination = nullptr;
      pieces_.back().issued->open();
      issued_.fetch_add(1);
      throw;
    }
    issued_.fetch_add(1);
  }
  return waited;
}

Staging::Piece Staging::take(std::size_t bytes, bool& waited) {
  Piece piece;
  piece.copied = events_->take();
  if (!queue_->is_open()) {  // room would not become free before the queue is released
    piece.bytes = bytes;
    piece.pinned = static_cast<std::byte*>(pinned_memory().allocate(bytes));
    return piece;
  }
  if (ring_ == nullptr) ring_ = static_cast<std::byte*>(pinned_memory().allocate(ring_bytes));
  piece.bytes = std::min(bytes, piece_bytes);
  finish_done();
  while (!take_room(piece)) {
    const Piece& oldest = pieces_.front();
    oldest.issued->wait();
    D2L_CUDA_CHECK(cudaEventSynchronize(oldest.copied.get()));
    finish_oldest(true);
    waited = true;
  }
  return piece;
}

bool Staging::take_room(Piece& piece) {
  constexpr std::size_t alignment = 256;
  const std::size_t size = (piece.bytes + alignment - 1) / alignment * alignment;
  const bool wraps = next_ + size > ring_bytes;  // a piece is contiguous
  const std::size_t skipped = wraps ? ring_bytes - next_ : 0;
  if (used_ + skipped + size > ring_bytes) return false;
  if (wraps) next_ = 0;
  piece.room = skipped + size;
  piece.pinned = ring_ + next_;
  next_ += size;
  used_ += piece.room;
  return true;
}

cudaError_t Staging::status_of(const Piece& piece) {
  if (!piece.issued->is_open()) return cudaErrorNotReady;
  const cudaError_t status = cudaEventQuery(piece.copied.get());
  if (status != cudaSuccess) forget_last_error();
  return status;
}

void Staging::finish_oldest(bool arrived) noexcept {
  const Piece& piece = pieces_.front();
  if (arrived && piece.destination != nullptr && !health_.faulty()) {
    std::memcpy(piece.destination, piece.pinned, piece.bytes);
  }
  used_ -= piece.room;
  if (piece.room == 0) pinned_memory().release(piece.pinned, piece.bytes);
  pieces_.pop_front();
  finished_.fetch_add(1);
}

void Staging::finish_done() {
  while (!pieces_.empty()) {
    const cudaError_t status = status_of(pieces_.front());
    if (status == cudaErrorNotReady) return;
    finish_oldest(status == cudaSuccess);
  }
}

void Staging::deliver() {
  const std::lock_guard lock(mutex_);
  finish_done();
}

bool Staging::is_delivered(std::uint64_t count) {
  if (finished_.load() >= count) return true;
  if (const std::unique_lock lock(mutex_, std::try_to_lock); lock.owns_lock()) finish_done();
  return finished_.load() >= count;
}

void Staging::abandon() noexcept {
  const std::lock_guard lock(mutex_);
  for (Piece& piece : pieces_) piece.destination = nullptr;
}

}  // namespace d2l::backend::cuda
