// SPDX-License-Identifier: MIT
// Brings the network to the host, saves it, and takes it back: everything crosses twice.
// Fails: copies: copies from device to host
// Needs: 1
#include "exercise.h"

using namespace d2l;

void save_parameters(const nn::Module& net, const std::string& path) {
  for (const Tensor& parameter : net.parameters()) {
    const Device device = parameter.device();
    parameter.set_data(parameter.cpu());
    parameter.set_data(parameter.to(device));
  }
  save_file(net.state_dict(), path);
}

void load_parameters(nn::Module& net, const std::string& path, Device device) {
  const StateDict loaded = load_file(path, device);
  for (const auto& parameter : net.named_parameters()) parameter.value().set_data(loaded[parameter.key()]);
}
