// SPDX-License-Identifier: MIT
// A file contains no devices, and that is useful: you can train on two GPUs and load
// the parameters on one, or on none.
//
// Saving needs no move. `state_dict()` returns the parameters on their devices, and
// `save_file` copies each of them to the host once, only to write it. The caller's
// network stays where it is. (If you moved the network to the CPU, saved it and moved
// it back, everything would be copied twice. In the meantime the network would be
// missing on its device.)
//
// There are two ways to load parameters. `load_state_dict` copies values into the
// parameters without moving them, so you can load on the CPU and move the network
// afterwards. Here we do it the other way: `load_file` loads the tensors onto the right
// device, with one copy each, and `set_data` makes each parameter use these elements.
// `set_data` changes the elements of a parameter, not the parameter itself. So an
// optimizer that has a handle to it continues with the new values.
#include "exercise.h"

using namespace d2l;

void save_parameters(const nn::Module& net, const std::string& path) {
  save_file(net.state_dict(), path);
}

void load_parameters(nn::Module& net, const std::string& path, Device device) {
  const StateDict loaded = load_file(path, device);
  for (const auto& parameter : net.named_parameters())
    parameter.value().set_data(loaded[parameter.key()]);
}
