// SPDX-License-Identifier: MIT
// CudaGraph: a CUDA graph of launches of one device.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <vector>

#include "backend/backend.h"
#include "backend/cuda/cuda_device.h"

namespace d2l::backend::cuda {

class CudaGraph final : public Graph {
 public:
  /// An empty graph; create it in the scope of a Use.
  explicit CudaGraph(std::shared_ptr<CudaDevice> device);
  ~CudaGraph() override;

  /// Captures the launches in a stream of their own, so that other threads can use that of the device. Called by issued
  /// work, because it uses the device's cuBLAS.
  void instantiate(const std::vector<GraphLaunch>& launches);
  /// Submits it to the stream of the device; called by issued work.
  void launch();

 private:
  std::shared_ptr<CudaDevice> device_;
  GraphScratch scratch_;
  cudaGraphExec_t exec_ = nullptr;
};

}  // namespace d2l::backend::cuda
