// SPDX-License-Identifier: MIT
// Makes every loaded parameter require gradients, also one that was frozen.
// Fails: same: one that does not
#include "exercise.h"

using namespace d2l;

void save_parameters(const nn::Module& net, const std::string& path) { save_file(net.state_dict(), path); }

void load_parameters(nn::Module& net, const std::string& path, Device device) {
  const StateDict loaded = load_file(path, device);
  for (const auto& parameter : net.named_parameters()) {
    parameter.value().set_data(loaded[parameter.key()]);
    parameter.value().set_requires_grad(true);
  }
}
