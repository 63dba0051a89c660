// SPDX-License-Identifier: MIT
// Loads the file onto the device, and assumes that the network is there as well.
// Fails: places: in the memory of cpu
// Fails: copies: copies in total
// Fails: clean: bytes more on the GPUs than before
// Needs: 1
#include "exercise.h"

using namespace d2l;

void save_parameters(const nn::Module& net, const std::string& path) { save_file(net.state_dict(), path); }

void load_parameters(nn::Module& net, const std::string& path, Device device) {
  net.load_state_dict(load_file(path, device));
}
