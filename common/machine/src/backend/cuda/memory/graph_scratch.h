// SPDX-License-Identifier: MIT
// GraphScratch: the memory for intermediate results of the kernels of a graph, which stays as long as the graph.
#pragma once

#include <cuda_runtime_api.h>

#include <unordered_map>
#include <vector>

#include "backend/cuda/memory/device_memory.h"
#include "base/non_copyable.h"

namespace d2l::backend::cuda {

class GraphScratch : detail::NonCopyable {
 public:
  /// Memory of `memory`, in the order of `stream`, in which the graph runs.
  GraphScratch(DeviceMemory& memory, cudaStream_t stream) : memory_(memory), stream_(stream) {}

  /// A block for the kernel that is captured. Later kernels use it again after give_back(). OutOfMemoryError.
  void* take(std::size_t bytes) {
    auto& idle = idle_[bytes];
    if (!idle.empty()) {
      void* const block = idle.back();
      idle.pop_back();
      return block;
    }
    void* const block = memory_.allocate_scratch(bytes, stream_);
    sizes_.emplace(block, bytes);
    return block;
  }
  void give_back(void* block) { idle_[sizes_.at(block)].push_back(block); }
  /// Releases all blocks, in the order of the stream.
  void release() noexcept {
    for (const auto& [block, bytes] : sizes_) memory_.free_scratch(stream_, block);
    sizes_.clear();
  }

 private:
  DeviceMemory& memory_;
  cudaStream_t stream_;
  std::unordered_map<std::size_t, std::vector<void*>> idle_;
  std::unordered_map<void*, std::size_t> sizes_;
};

}  // namespace d2l::backend::cuda
