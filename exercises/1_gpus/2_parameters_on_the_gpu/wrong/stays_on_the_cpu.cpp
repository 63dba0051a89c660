// SPDX-License-Identifier: MIT
// Sets the parameters' values on their old device, and forgets to move them.
// Fails: places: in the memory of cpu
// Fails: clean: bytes more on the GPUs than before
// Needs: 1
#include "exercise.h"

using namespace d2l;

void save_parameters(const nn::Module& net, const std::string& path) { save_file(net.state_dict(), path); }

void load_parameters(nn::Module& net, const std::string& path, Device /*device*/) {
  net.load_state_dict(load_file(path));
}
