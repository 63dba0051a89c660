// SPDX-License-Identifier: MIT
// Brings the network of its caller to the host, and leaves it there.
// Fails: places: in the memory of cpu
// May fail: clean
// Needs: 1
#include "exercise.h"

using namespace d2l;

void save_parameters(const nn::Module& net, const std::string& path) {
  for (const Tensor& parameter : net.parameters()) parameter.set_data(parameter.cpu());
  save_file(net.state_dict(), path);
}

void load_parameters(nn::Module& net, const std::string& path, Device device) {
  const StateDict loaded = load_file(path, device);
  for (const auto& parameter : net.named_parameters()) parameter.value().set_data(loaded[parameter.key()]);
}
