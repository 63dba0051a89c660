// SPDX-License-Identifier: MIT
// Saves everything as float32, like most parameter files.
// Fails: file: float32 of shape
#include "correct_load.h"

using namespace d2l;

void save_parameters(const nn::Module& net, const std::string& path) {
  StateDict saved;
  for (const auto& item : net.state_dict()) saved.insert(item.key(), item.value().to(kFloat));
  save_file(saved, path);
}
