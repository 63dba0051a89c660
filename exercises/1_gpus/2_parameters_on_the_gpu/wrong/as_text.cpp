// SPDX-License-Identifier: MIT
// Writes the numbers as readable text, with the few digits that a stream prints.
// Fails: file: net.safetensors
// May fail: copies
#include <fstream>

#include "correct_load.h"

using namespace d2l;

void save_parameters(const nn::Module& net, const std::string& path) {
  std::ofstream file(path);
  for (const auto& item : net.state_dict()) {
    file << item.key();
    for (const double value : item.value().to_vector<double>()) file << ' ' << value;
    file << '\n';
  }
}
