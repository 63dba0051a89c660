// SPDX-License-Identifier: MIT
// Marks are recorded when the queue issues them; the host or another stream waits for them.
#include "backend/cuda/cuda_mark.h"

namespace d2l::backend::cuda {

std::shared_ptr<CudaMark> CudaMark::record(const std::shared_ptr<CudaDevice>& device) {
  std::shared_ptr<CudaMark> mark(new CudaMark(device, device->take_event()));
  device->queue().issue(
      [event = mark->event_, device] { D2L_CUDA_CHECK(cudaEventRecord(event.get(), device->stream())); },
      mark->recorded_);
  return mark;
}

bool CudaMark::done() const {
  if (!recorded_->is_open()) return false;
  const cudaError_t status = cudaEventQuery(event_.get());
  if (status != cudaSuccess) forget_last_error();
  return status != cudaErrorNotReady;
}

void CudaMark::wait() const {
  const CudaDevice::Use use(*device_, "synchronize");
  if (!recorded_->is_open()) device_->refuse_to_wait_for_itself("synchronize");
  recorded_->wait();
  D2L_CUDA_CHECK(cudaEventSynchronize(event_.get()));
  device_->health().surface("synchronize");
}

void CudaMark::make_wait(CudaDevice& waiter) const {
  waiter.queue().issue_after(recorded_, [event = event_, device = waiter.shared_from_this()] {
    D2L_CUDA_CHECK(cudaStreamWaitEvent(device->stream(), event.get(), 0));
  });
}

}  // namespace d2l::backend::cuda
