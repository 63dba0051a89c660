// SPDX-License-Identifier: MIT
// Switches gradients off, because a parameter that requires them cannot be written to.
// Fails: same: one that does not
#include "exercise.h"

using namespace d2l;

void save_parameters(const nn::Module& net, const std::string& path) { save_file(net.state_dict(), path); }

void load_parameters(nn::Module& net, const std::string& path, Device device) {
  const StateDict loaded = load_file(path);
  for (const auto& parameter : net.named_parameters()) {
    parameter.value().set_requires_grad(false);
    Tensor(parameter.value()).copy_(loaded[parameter.key()]);
  }
  net.to(device);
}
