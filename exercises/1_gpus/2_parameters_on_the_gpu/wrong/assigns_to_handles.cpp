// SPDX-License-Identifier: MIT
// Assigns to its own handles. The network does not notice.
// Fails: values: with different bits
// Fails: same: with different bits
// May fail: places
// May fail: clean
#include "exercise.h"

using namespace d2l;

void save_parameters(const nn::Module& net, const std::string& path) { save_file(net.state_dict(), path); }

void load_parameters(nn::Module& net, const std::string& path, Device device) {
  const StateDict loaded = load_file(path, device);
  auto parameters = net.named_parameters();
  for (auto& parameter : parameters) parameter.value() = loaded[parameter.key()];
}
