// SPDX-License-Identifier: MIT
// CudaMark: a CUDA event in a device's stream.
#pragma once

#include <memory>
#include <utility>

#include "backend/cuda/cuda_device.h"

namespace d2l::backend::cuda {

class CudaMark final : public Mark {
 public:
  /// Records a mark in the device's queue; call it in the scope of a Use.
  static std::shared_ptr<CudaMark> record(const std::shared_ptr<CudaDevice>& device);

  [[nodiscard]] bool done() const override;
  void wait() const override;
  /// Makes the stream of `waiter` wait; call it in the scope of a Use of `waiter`.
  void make_wait(CudaDevice& waiter) const;

 private:
  CudaMark(std::shared_ptr<CudaDevice> device, EventPool::Event event)
      : device_(std::move(device)), event_(std::move(event)) {}

  std::shared_ptr<CudaDevice> device_;
  EventPool::Event event_;
  std::shared_ptr<Gate> recorded_ = std::make_shared<Gate>();
};

}  // namespace d2l::backend::cuda
