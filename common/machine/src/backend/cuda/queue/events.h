// SPDX-License-Identifier: MIT
// EventPool: caches the events of one card, because creating an event costs more than recording it.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <mutex>
#include <vector>

#include "base/non_copyable.h"

namespace d2l::backend::cuda {

class EventPool : public std::enable_shared_from_this<EventPool>, detail::NonCopyable {
 public:
  /// `flags` are those of cudaEventCreateWithFlags.
  explicit EventPool(unsigned int flags) : flags_(flags) {}
  ~EventPool();

  using Event = std::shared_ptr<CUevent_st>;
  /// An event of the current card; it returns to the pool when its last handle is destroyed.
  [[nodiscard]] Event take();

 private:
  void give_back(cudaEvent_t event) noexcept;

  unsigned int flags_;
  std::mutex mutex_;
  std::vector<cudaEvent_t> free_;
};

}  // namespace d2l::backend::cuda
