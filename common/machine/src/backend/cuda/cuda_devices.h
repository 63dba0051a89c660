// SPDX-License-Identifier: MIT
// CudaDevices: implemented by the backend of cards and by that of slices of cards.
#pragma once

#include <memory>

#include "backend/cuda/cuda_device.h"

namespace d2l::backend::cuda {

class CudaDevices {
 public:
  virtual ~CudaDevices() = default;

  /// DeviceError if the device does not exist.
  [[nodiscard]] virtual const std::shared_ptr<CudaDevice>& at(int device) const = 0;
};

}  // namespace d2l::backend::cuda
