// SPDX-License-Identifier: MIT
// A file knows no devices, and that is its virtue: what was trained on two GPUs can be read on one, or on none.
//
// Saving needs no move. `state_dict()` names the parameters where they are, and `save_file` brings each of them to the
// host once, just to write it; the network of the caller stays where it is. (Moving the network to the CPU, saving it
// and moving it back would copy everything twice, and for a moment take the memory of it from everybody else.)
//
// Loading has a choice. `load_state_dict` copies values into parameters where they are: fill the network on the CPU,
// and move it afterwards. Or, as here, let `load_file` put the tensors where they belong, which is one copy each, and
// let every parameter have those elements as its own. `set_data` changes what a parameter holds and not which parameter
// it is, so that an optimiser that knows it goes on with the new values.
#include "exercise.h"

using namespace d2l;

void save_parameters(const nn::Module& net, const std::string& path) { save_file(net.state_dict(), path); }

void load_parameters(nn::Module& net, const std::string& path, Device device) {
  const StateDict loaded = load_file(path, device);
  for (const auto& parameter : net.named_parameters()) parameter.value().set_data(loaded[parameter.key()]);
}
