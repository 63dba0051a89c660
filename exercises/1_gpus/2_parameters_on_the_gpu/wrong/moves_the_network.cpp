// SPDX-License-Identifier: MIT
// Moves its caller's network to the host, and leaves it there.
// Fails: places: in the memory of cpu
// May fail: clean
// Needs: 1
#include "correct_load.h"

using namespace d2l;

void save_parameters(const nn::Module& net, const std::string& path) {
  for (const Tensor& parameter : net.parameters()) parameter.set_data(parameter.cpu());
  save_file(net.state_dict(), path);
}
