// SPDX-License-Identifier: MIT
// Saves the weights and forgets the biases.
// Fails: file: none
// May fail: copies
#include "correct_load.h"

using namespace d2l;

void save_parameters(const nn::Module& net, const std::string& path) {
  StateDict saved;
  for (const auto& item : net.state_dict()) {
    if (item.key().ends_with("weight")) saved.insert(item.key(), item.value());
  }
  save_file(saved, path);
}
