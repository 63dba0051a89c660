// SPDX-License-Identifier: MIT
#include "nn/copy_state.h"

#include "nn/parameter.h"

namespace d2l::detail {

void copy_state(const nn::Module& module, nn::Module& copy) {
  const auto place = [](const auto& of, const auto& to) {
    for (const auto& item : of) {
      const TensorImpl& impl = *item.value().impl();
      adopt(moved_parameter(to[item.key()], impl.device(), impl.dtype, false));
    }
  };
  const auto parameters = copy.named_parameters();
  place(module.named_parameters(), parameters);
  place(module.named_buffers(), copy.named_buffers());
  copy.load_state_dict(module.state_dict());
  for (const auto& item : module.named_parameters()) {
    make_parameter(parameters[item.key()], item.value().impl()->requires_grad);
  }
  copy.train(module.is_training());
}

}  // namespace d2l::detail
