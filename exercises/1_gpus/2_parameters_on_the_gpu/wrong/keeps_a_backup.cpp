// SPDX-License-Identifier: MIT
// Saves a second file, in case that something happens to the first.
// Fails: clean: 2 files in the folder
// May fail: copies
#include "exercise.h"

using namespace d2l;

void save_parameters(const nn::Module& net, const std::string& path) {
  save_file(net.state_dict(), path + ".backup");
  save_file(net.state_dict(), path);
}

void load_parameters(nn::Module& net, const std::string& path, Device device) {
  const StateDict loaded = load_file(path, device);
  for (const auto& parameter : net.named_parameters()) parameter.value().set_data(loaded[parameter.key()]);
}
