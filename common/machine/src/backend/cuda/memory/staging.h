// SPDX-License-Identifier: MIT
// Staging: copies between pageable host memory and one device, in pieces through a ring of pinned memory.
#pragma once

#include <cuda_runtime_api.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

#include "backend/cuda/queue/events.h"
#include "backend/cuda/queue/issue_queue.h"
#include "backend/health.h"
#include "base/non_copyable.h"

namespace d2l::backend::cuda {

/// The driver copies pageable memory while the calling thread waits. With pinned memory in between, the host waits only
/// for room in the ring, and never while it holds the lock of the queue. A copy to the host reaches its destination
/// when the host waits for the device, or asks whether a mark after it is done.
class Staging : detail::NonCopyable {
 public:
  /// Adds the copy of one piece between the device and pinned memory to the stream.
  using AddPiece = std::function<void(void* pinned, std::size_t offset, std::size_t bytes)>;

  Staging(std::shared_ptr<IssueQueue> queue, std::shared_ptr<EventPool> events, cudaStream_t stream,
          const Health& health);
  ~Staging();

  /// Reads all of `host`, and issues its pieces. Returns true if the host waited for room.
  bool to_device(const void* host, std::size_t bytes, const AddPiece& add);
  /// Issues the pieces of a copy to `host`. Returns true if the host waited for room.
  bool to_host(void* host, std::size_t bytes, const AddPiece& add);

  /// Delivers the copies to the host that the device has finished.
  void deliver();
  /// The number of pieces that were issued so far.
  [[nodiscard]] std::uint64_t issued() const noexcept { return issued_.load(); }
  /// True if the first `count` pieces are delivered. Delivers what it can, but does not wait for other threads.
  [[nodiscard]] bool is_delivered(std::uint64_t count);
  /// Drops the copies to the host that are not delivered: the device is lost.
  void abandon() noexcept;

  static constexpr std::size_t ring_bytes = std::size_t{16} << 20;
  static constexpr std::size_t piece_bytes = std::size_t{4} << 20;

 private:
  struct Piece {
    std::byte* pinned = nullptr;
    std::size_t bytes = 0;
    std::size_t room = 0;         // bytes of the ring; 0 for a block of its own
    void* destination = nullptr;  // of a copy to the host
    EventPool::Event copied;
    std::shared_ptr<Gate> issued = std::make_shared<Gate>();
  };

  /// Issues pieces of `host`, which is read or written.
  bool transfer(const void* source, void* destination, std::size_t bytes, const AddPiece& add);
  /// Pinned memory for up to `bytes` bytes.
  Piece take(std::size_t bytes, bool& waited);
  bool take_room(Piece& piece);
  [[nodiscard]] static cudaError_t status_of(const Piece& piece);
  void finish_oldest(bool arrived) noexcept;
  void finish_done();

  std::shared_ptr<IssueQueue> queue_;
  std::shared_ptr<EventPool> events_;
  cudaStream_t stream_;
  const Health& health_;
  std::mutex mutex_;
  std::deque<Piece> pieces_;  // in the order of the stream
  std::atomic<std::uint64_t> issued_{0};
  std::atomic<std::uint64_t> finished_{0};
  std::byte* ring_ = nullptr;
  std::size_t next_ = 0;
  std::size_t used_ = 0;
};

}  // namespace d2l::backend::cuda
