// SPDX-License-Identifier: MIT
#include "backend/cuda/cuda_graph.h"

#include <utility>

namespace d2l::backend::cuda {
namespace {

/// A stream of the current card for one capture.
class CapturingStream : detail::NonCopyable {
 public:
  CapturingStream() {
    D2L_CUDA_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    const cudaError_t status = cudaStreamBeginCapture(stream_, cudaStreamCaptureModeRelaxed);
    if (status == cudaSuccess) return;
    ignore(cudaStreamDestroy(stream_));
    check(status, "cudaStreamBeginCapture");
  }
  ~CapturingStream() {
    if (!ended_) {
      cudaGraph_t graph = nullptr;
      ignore(cudaStreamEndCapture(stream_, &graph));
      if (graph != nullptr) ignore(cudaGraphDestroy(graph));
    }
    ignore(cudaStreamDestroy(stream_));
  }
  [[nodiscard]] cudaStream_t get() const noexcept { return stream_; }
  /// The captured graph.
  [[nodiscard]] cudaGraph_t end() {
    cudaGraph_t graph = nullptr;
    ended_ = true;
    D2L_CUDA_CHECK(cudaStreamEndCapture(stream_, &graph));
    return graph;
  }

 private:
  cudaStream_t stream_ = nullptr;
  bool ended_ = false;
};

}  // namespace

CudaGraph::CudaGraph(std::shared_ptr<CudaDevice> device)
    : device_(std::move(device)), scratch_(device_->memory(), device_->stream()) {}

CudaGraph::~CudaGraph() {
  try {
    const CudaDevice::Use use(*device_, "reset");
    if (exec_ != nullptr) ignore(cudaGraphExecDestroy(exec_));
    scratch_.release();
  } catch (...) {  // the card is lost, and its memory too
    static_cast<void>(0);
  }
}

void CudaGraph::instantiate(const std::vector<GraphLaunch>& launches) {
  CapturingStream capturing;
  for (const auto& [kernel, arguments] : launches) {
    device_->capture(capturing.get(), scratch_, kernel.run, arguments);
  }
  const cudaGraph_t graph = capturing.end();
  const cudaError_t status = cudaGraphInstantiateWithFlags(&exec_, graph, 0);
  ignore(cudaGraphDestroy(graph));
  check(status, "cudaGraphInstantiateWithFlags");
}

void CudaGraph::launch() { D2L_CUDA_CHECK(cudaGraphLaunch(exec_, device_->stream())); }

}  // namespace d2l::backend::cuda
