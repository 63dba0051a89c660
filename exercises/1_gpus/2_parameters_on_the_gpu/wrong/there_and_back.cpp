// SPDX-License-Identifier: MIT
// Moves the network to the host, saves it, and moves it back: everything is copied twice.
// Fails: copies: copies from device to host
// Needs: 1
#include "correct_load.h"

using namespace d2l;

void save_parameters(const nn::Module& net, const std::string& path) {
  for (const Tensor& parameter : net.parameters()) {
    const Device device = parameter.device();
    parameter.set_data(parameter.cpu());
    parameter.set_data(parameter.to(device));
  }
  save_file(net.state_dict(), path);
}
