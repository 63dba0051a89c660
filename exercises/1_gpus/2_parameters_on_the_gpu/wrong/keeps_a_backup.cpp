// SPDX-License-Identifier: MIT
// Also saves a second file, in case something happens to the first.
// Fails: clean: 2 files in the folder
// May fail: copies
#include "correct_load.h"

using namespace d2l;

void save_parameters(const nn::Module& net, const std::string& path) {
  save_file(net.state_dict(), path + ".backup");
  save_file(net.state_dict(), path);
}
