// SPDX-License-Identifier: MIT
// Moves the network first and sets its values afterwards: the old values are copied too.
// Fails: copies: 8 copies in total
// Needs: 1
#include "exercise.h"

using namespace d2l;

void save_parameters(const nn::Module& net, const std::string& path) { save_file(net.state_dict(), path); }

void load_parameters(nn::Module& net, const std::string& path, Device device) {
  net.to(device);
  net.load_state_dict(load_file(path));
}
