// SPDX-License-Identifier: MIT
// CudaDevice: one GPU of the library, a card or a slice of one, with its stream, pool, clock and health.
#pragma once

#include <cublas_v2.h>
#include <cuda_runtime_api.h>

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "backend/backend.h"
#include "backend/cuda/check.h"
#include "backend/cuda/clock.h"
#include "backend/cuda/device_memory.h"
#include "backend/cuda/discovery.h"
#include "backend/cuda/events.h"
#include "backend/cuda/health.h"
#include "backend/cuda/issue_queue.h"

namespace d2l::backend::cuda {

class CudaDevice : public std::enable_shared_from_this<CudaDevice> {
 public:
  /// A whole card, or a slice of `limit` bytes.
  CudaDevice(int number, Card card, std::optional<std::int64_t> limit);
  ~CudaDevice();
  CudaDevice(const CudaDevice&) = delete;
  CudaDevice& operator=(const CudaDevice&) = delete;

  /// Until its end, this thread's calls of CUDA are for `operation` on the device. FatalDeviceError when the device is
  /// lost; its stream and its pool are made on first use.
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

  // In the scope of a Use.
  [[nodiscard]] cudaStream_t stream() const noexcept { return stream_; }
  [[nodiscard]] DeviceMemory& memory() noexcept { return *memory_; }
  [[nodiscard]] Clock& clock() noexcept { return *clock_; }
  [[nodiscard]] IssueQueue& queue() noexcept { return *queue_; }
  [[nodiscard]] EventPool::Event take_event() { return events_->take(); }

  /// What calls `work`, which puts something in the stream, and times it; nothing on a device that has a fault.
  template <class Work>
  [[nodiscard]] auto timed(std::shared_ptr<Span> span, Work work) {
    return [self = shared_from_this(), span = std::move(span), work = std::move(work)] {
      if (!self->health_.faulty()) self->clock_->time(self->stream_, span, work);
    };
  }
  /// Runs a kernel of the table; from issued work.
  void run(Operation operation, Kernel kernel, const KernelArguments& arguments);

  /// The pool, when the device was used; null else. For owner(), which makes nothing.
  [[nodiscard]] cudaMemPool_t pool_if_open() const noexcept;
  /// An Error when this thread waits for what it holds back itself.
  void refuse_to_wait_for_itself(const char* operation) const;

 private:
  void open();
  void run_late(const IssueQueue::Work& work) noexcept;

  const int number_;
  const Card card_;
  const std::optional<std::int64_t> limit_;
  Health health_;
  std::once_flag opened_;
  std::atomic<bool> is_open_{false};
  cudaStream_t stream_ = nullptr;
  std::unique_ptr<DeviceMemory> memory_;
  std::unique_ptr<Clock> clock_;
  std::shared_ptr<EventPool> events_;
  std::shared_ptr<IssueQueue> queue_;
  cublasHandle_t library_ = nullptr;
};

}  // namespace d2l::backend::cuda
