// SPDX-License-Identifier: MIT
// CudaMark: a CUDA event in a device's stream.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <memory>

#include "backend/backend.h"
#include "backend/cuda/cuda_device.h"

namespace d2l::backend::cuda {

class CudaMark final : public Mark {
 public:
  /// Records a mark in the device's queue, once the queue issues it; call it in the scope of a Use.
  explicit CudaMark(const std::shared_ptr<CudaDevice>& device)
      : device_(device), event_(device->take_event()), staged_(device->staging().issued()) {
    device->queue().issue([event = event_, device] { D2L_CUDA_CHECK(cudaEventRecord(event.get(), device->stream())); },
                          recorded_);
  }

  [[nodiscard]] bool done() const override {
    if (!recorded_->is_open()) return false;
    const cudaError_t status = cudaEventQuery(event_.get());
    if (status != cudaSuccess) forget_last_error();
    return status != cudaErrorNotReady && device_->staging().is_delivered(staged_);
  }
  void wait() const override {
    device_->wait_on_host([this] {
      if (!recorded_->is_open()) device_->refuse_to_wait_for_itself("synchronize");
      recorded_->wait();
      D2L_CUDA_CHECK(cudaEventSynchronize(event_.get()));
      return issued_;
    });
  }
  /// Makes the stream of `waiter` wait; call it in the scope of a Use of `waiter`.
  void make_wait(CudaDevice& waiter) const {
    waiter.queue().issue_after(recorded_, [event = event_, device = waiter.shared_from_this()] {
      D2L_CUDA_CHECK(cudaStreamWaitEvent(device->stream(), event.get(), 0));
    });
  }

 private:
  std::shared_ptr<CudaDevice> device_;
  EventPool::Event event_;
  std::uint64_t staged_;  // pieces of staged copies before this mark
  std::int64_t issued_ = steady_nanoseconds();
  std::shared_ptr<Gate> recorded_ = std::make_shared<Gate>();
};

}  // namespace d2l::backend::cuda
