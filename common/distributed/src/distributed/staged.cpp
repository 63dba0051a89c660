// SPDX-License-Identifier: MIT
#include "distributed/staged.h"

#include <utility>

#include "core/tensor_impl.h"
#include "d2l/autograd.h"
#include "d2l/factories.h"

namespace d2l::distributed::detail {

Staged::Staged(Tensor tensor, Use use) : tensor_(std::move(tensor)) {
  const NoGradGuard unrecorded;
  own_ = tensor_.is_cpu() && tensor_.is_contiguous();
  if (own_) {
    auto& storage = *tensor_.impl()->storage;
    if (use == Use::read) {
      storage.wait_until_readable();
    } else {
      storage.wait_until_ready();
      if (!tensor_.impl()->behind_autograd) storage.count_write();
    }
    host_ = tensor_;
  } else if (tensor_.is_cpu()) {
    host_ = use == Use::write ? empty(tensor_.sizes(), tensor_.dtype()) : tensor_.contiguous();
  } else {
    host_ = empty(tensor_.sizes(), TensorOptions(tensor_.dtype()).pinned_memory(true));
    if (use != Use::write) {
      host_.copy_(tensor_.contiguous(), /*non_blocking=*/true);
      copied_.record(tensor_.device());
    }
  }
  data_ = host_.impl()->data();
}

void Staged::wait_until_readable() const { copied_.synchronize(); }

void Staged::write_back() {
  if (own_) return;
  const NoGradGuard unrecorded;
  tensor_.copy_(host_, /*non_blocking=*/true);
}

}  // namespace d2l::distributed::detail
