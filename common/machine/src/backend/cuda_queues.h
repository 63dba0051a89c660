// SPDX-License-Identifier: MIT
// CudaQueues: implemented by a backend whose queues are streams of CUDA.
#pragma once

namespace d2l::backend {

class CudaQueues {
 public:
  virtual ~CudaQueues() = default;

  /// The cudaStream_t of a device's queue. It makes the device's card the current one of this thread. FatalDeviceError
  /// if the device is lost.
  virtual void* stream(int device) = 0;
};

}  // namespace d2l::backend
