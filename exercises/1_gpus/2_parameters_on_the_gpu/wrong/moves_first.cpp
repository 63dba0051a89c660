// SPDX-License-Identifier: MIT
// Moves the network first and fills it afterwards: the old values cross as well.
// Fails: copies: 8 copies in all
// Needs: 1
#include "exercise.h"

using namespace d2l;

void save_parameters(const nn::Module& net, const std::string& path) { save_file(net.state_dict(), path); }

void load_parameters(nn::Module& net, const std::string& path, Device device) {
  net.to(device);
  net.load_state_dict(load_file(path));
}
