// SPDX-License-Identifier: MIT
// Saves everything as float32, as most files of parameters are.
// Fails: file: float32 of shape
#include "exercise.h"

using namespace d2l;

void save_parameters(const nn::Module& net, const std::string& path) {
  StateDict saved;
  for (const auto& item : net.state_dict()) saved.insert(item.key(), item.value().to(kFloat));
  save_file(saved, path);
}

void load_parameters(nn::Module& net, const std::string& path, Device device) {
  const StateDict loaded = load_file(path, device);
  for (const auto& parameter : net.named_parameters()) parameter.value().set_data(loaded[parameter.key()]);
}
