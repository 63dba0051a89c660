// SPDX-License-Identifier: MIT
#include "exercise.h"

using namespace d2l;

void save_parameters(const nn::Module& net, const std::string& path) {
  // TODO: how do you get the parameters by name, and which function writes named
  // tensors to a file?
  static_cast<void>(net);
  static_cast<void>(path);
}

void load_parameters(nn::Module& net, const std::string& path, Device device) {
  // TODO: read the file, give each parameter its values, and make sure that all of them
  // are on the device.
  static_cast<void>(net);
  static_cast<void>(path);
  static_cast<void>(device);
}
