// SPDX-License-Identifier: MIT
// Writes the numbers as text, which anybody can read, with the digits that a stream prints.
// Fails: file: net.safetensors
// May fail: copies
#include <fstream>

#include "exercise.h"

using namespace d2l;

void save_parameters(const nn::Module& net, const std::string& path) {
  std::ofstream file(path);
  for (const auto& item : net.state_dict()) {
    file << item.key();
    for (const double value : item.value().to_vector<double>()) file << ' ' << value;
    file << '\n';
  }
}

void load_parameters(nn::Module& net, const std::string& path, Device device) {
  const StateDict loaded = load_file(path, device);
  for (const auto& parameter : net.named_parameters()) parameter.value().set_data(loaded[parameter.key()]);
}
