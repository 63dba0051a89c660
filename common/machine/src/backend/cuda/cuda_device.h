// SPDX-License-Identifier: MIT
// CudaDevice: one GPU, which is a card or a slice of a card, with its stream, pool, clock and health.
#pragma once

#include <cublas_v2.h>
#include <cuda_runtime_api.h>

#include <memory>
#include <mutex>
#include <optional>

#include "backend/backend.h"
#include "backend/cuda/discovery/discovery.h"
#include "backend/cuda/errors/check.h"
#include "backend/cuda/memory/device_memory.h"
#include "backend/cuda/memory/graph_scratch.h"
#include "backend/cuda/memory/staging.h"
#include "backend/cuda/queue/clock.h"
#include "backend/cuda/queue/events.h"
#include "backend/cuda/queue/issue_queue.h"
#include "backend/health.h"
#include "base/non_copyable.h"

namespace d2l::backend::cuda {

class CudaDevice : public std::enable_shared_from_this<CudaDevice>, detail::NonCopyable {
 public:
  /// A whole card, or a slice of `limit` bytes.
  CudaDevice(int number, Card card, std::optional<std::int64_t> limit);
  ~CudaDevice();

  /// A scope in which this thread's CUDA calls are for `operation` on the device. FatalDeviceError if the device is
  /// lost. The first use creates the stream and the pool.
  class Use {
   public:
    Use(CudaDevice& device, const char* operation);

   private:
    CallsFor calls_;
    CardGuard guard_;
  };

  [[nodiscard]] int number() const noexcept { return number_; }
  [[nodiscard]] const Card& card() const noexcept { return card_; }
  [[nodiscard]] bool is_slice() const noexcept { return limit_.has_value(); }
  [[nodiscard]] Health& health() noexcept { return health_; }
  [[nodiscard]] DeviceProperties properties() const;

  // Valid in the scope of a Use.
  [[nodiscard]] cudaStream_t stream() const noexcept { return stream_; }
  [[nodiscard]] DeviceMemory& memory() noexcept { return *memory_; }
  [[nodiscard]] Staging& staging() noexcept { return *staging_; }
  [[nodiscard]] IssueQueue& queue() noexcept { return *queue_; }
  [[nodiscard]] EventPool::Event take_event() { return events_->take(); }

  /// A function that calls `work`, which adds work to the stream, and times it; it does nothing on a faulty device.
  template <class Work>
  [[nodiscard]] auto timed(std::shared_ptr<Span> span, Work work) {
    return [self = shared_from_this(), span = std::move(span), work = std::move(work)] {
      if (!self->health_.faulty()) self->clock_->time(self->stream_, span, work);
    };
  }
  /// The same for a copy of `bytes` bytes in pieces: `copy` adds one piece.
  template <class Copy>
  [[nodiscard]] Staging::AddPiece timed_pieces(std::shared_ptr<Span> span, std::size_t bytes, Copy copy) {
    return [self = shared_from_this(), timing = std::make_shared<Clock::Timing>(), span = std::move(span), bytes,
            copy = std::move(copy)](void* pinned, std::size_t offset, std::size_t count) {
      if (self->health_.faulty()) return;
      if (span && offset == 0) *timing = self->clock_->begin(self->stream_);
      copy(pinned, offset, count);
      if (span && offset + count == bytes) self->clock_->end(self->stream_, *timing, *span);
    };
  }
  /// Runs a kernel; called by issued work.
  void run(Kernel kernel, const KernelArguments& arguments);
  /// Adds a kernel to a stream that captures, with the scratch memory of its graph; called by issued work.
  void capture(cudaStream_t stream, GraphScratch& scratch, Kernel kernel, const KernelArguments& arguments);

  /// Calls `wait`, in which the host waits for work of the queue, in the scope of a Use; then the host has the results
  /// of copies, and a fault is reported. `wait` returns a host time: work that was in the queue by then has ended.
  template <class Wait>
  void wait_on_host(const Wait& wait) {
    try {
      const Use use(*this, "synchronize");
      clock_->note_wait(wait());
      staging_->deliver();
      health_.surface("synchronize");
    } catch (const FatalDeviceError&) {
      if (is_open_.load(std::memory_order_acquire)) staging_->abandon();
      throw;
    }
  }

  /// The pool if the device was used, else null. For owner(), which must not create one.
  [[nodiscard]] cudaMemPool_t pool_if_open() const noexcept;
  /// DeviceError if this thread holds the queue for which it is about to wait.
  void refuse_to_wait_for_itself(const char* operation) const;

 private:
  void open();
  void run_in(cudaStream_t stream, GraphScratch* scratch, Kernel kernel, const KernelArguments& arguments);
  cublasHandle_t library(cudaStream_t stream);
  void run_late(const IssueQueue::Work& work) noexcept;

  const int number_;
  const Card card_;
  const std::optional<std::int64_t> limit_;
  Health health_;
  std::once_flag opened_;
  std::atomic<bool> is_open_{false};
  cudaStream_t stream_ = nullptr;
  std::unique_ptr<DeviceMemory> memory_;
  std::shared_ptr<Clock> clock_;
  std::shared_ptr<EventPool> events_;
  std::shared_ptr<IssueQueue> queue_;
  std::unique_ptr<Staging> staging_;
  cublasHandle_t library_ = nullptr;
  cudaStream_t library_stream_ = nullptr;
  void* workspace_ = nullptr;  // of the library, for a slice
};

}  // namespace d2l::backend::cuda
