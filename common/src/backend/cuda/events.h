// SPDX-License-Identifier: MIT
// Events of one card, kept for use again: making one costs more than recording it.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <mutex>
#include <vector>

namespace d2l::backend::cuda {

class EventPool : public std::enable_shared_from_this<EventPool> {
 public:
  /// `flags` of cudaEventCreateWithFlags.
  explicit EventPool(unsigned int flags) : flags_(flags) {}
  ~EventPool();
  EventPool(const EventPool&) = delete;
  EventPool& operator=(const EventPool&) = delete;

  using Event = std::shared_ptr<CUevent_st>;
  /// An event of the current card; goes back to the pool when the last handle of it is gone.
  [[nodiscard]] Event take();

 private:
  void give_back(cudaEvent_t event) noexcept;

  unsigned int flags_;
  std::mutex mutex_;
  std::vector<cudaEvent_t> free_;
};

}  // namespace d2l::backend::cuda
