// SPDX-License-Identifier: MIT
// Replicas: the parameters and buffers of one module on several devices.
#pragma once

#include <vector>

#include "base/non_copyable.h"
#include "core/tensor_impl.h"
#include "d2l/tensor.h"

namespace d2l::detail {

/// The module's tensors are those of the first device at first, and again in the end. Those of another device take
/// their place while it is in use, so that a module that cannot be copied computes on each device in turn.
class Replicas : NonCopyable {
 public:
  /// Copies the tensors, which are on devices[0], to the other devices.
  Replicas(std::vector<Tensor> tensors, const std::vector<Device>& devices);
  ~Replicas();
  [[nodiscard]] std::size_t count() const { return sets_.size(); }
  /// The tensors become those of devices[i].
  void use(std::size_t i);

 private:
  /// What a tensor is on one device, while another is in use.
  struct Kept {
    StridedView elements;
    Tensor grad;
  };

  std::vector<Tensor> tensors_;
  std::vector<std::vector<Kept>> sets_;
  std::size_t used_ = 0;
};

}  // namespace d2l::detail
