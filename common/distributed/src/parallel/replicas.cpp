// SPDX-License-Identifier: MIT
#include "parallel/replicas.h"

#include <utility>

#include "d2l/autograd.h"

namespace d2l::detail {

Replicas::Replicas(std::vector<Tensor> tensors, const std::vector<Device>& devices)
    : tensors_(std::move(tensors)), sets_(devices.size()) {
  const NoGradGuard unrecorded;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    for (const Tensor& tensor : tensors_) {
      const Tensor copy = i == 0 ? tensor : tensor.detach().contiguous().to(devices[i]);
      sets_[i].push_back({static_cast<const StridedView&>(*copy.impl()), {}});
    }
  }
}

Replicas::~Replicas() { use(0); }

void Replicas::use(std::size_t i) {
  if (i == used_) return;
  for (std::size_t t = 0; t < tensors_.size(); ++t) {
    TensorImpl& impl = *tensors_[t].impl();
    Kept& leaving = sets_[used_][t];
    Kept& entering = sets_[i][t];
    leaving = {static_cast<const StridedView&>(impl), std::move(impl.grad)};
    static_cast<StridedView&>(impl) = entering.elements;
    impl.grad = std::move(entering.grad);
    entering.grad = Tensor();
  }
  used_ = i;
}

}  // namespace d2l::detail
