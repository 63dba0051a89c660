// SPDX-License-Identifier: MIT
// EventPool: a stack of unused events.
#include "backend/cuda/queue/events.h"

#include "backend/cuda/errors/check.h"

namespace d2l::backend::cuda {

EventPool::~EventPool() {
  for (cudaEvent_t event : free_) ignore(cudaEventDestroy(event));
}

EventPool::Event EventPool::take() {
  cudaEvent_t event = nullptr;
  {
    const std::lock_guard lock(mutex_);
    if (!free_.empty()) {
      event = free_.back();
      free_.pop_back();
    }
  }
  if (event == nullptr) D2L_CUDA_CHECK(cudaEventCreateWithFlags(&event, flags_));
  return {event, [pool = shared_from_this()](cudaEvent_t used) { pool->give_back(used); }};
}

void EventPool::give_back(cudaEvent_t event) noexcept {
  try {
    const std::lock_guard lock(mutex_);
    free_.push_back(event);
  } catch (...) {
    ignore(cudaEventDestroy(event));
  }
}

}  // namespace d2l::backend::cuda
