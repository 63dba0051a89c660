// SPDX-License-Identifier: MIT
// Reads every single number from the GPU, to be sure of it.
// Fails: copies: copies from device to host
// Needs: 1
#include "correct_load.h"

using namespace d2l;

void save_parameters(const nn::Module& net, const std::string& path) {
  StateDict saved;
  for (const auto& item : net.state_dict()) {
    const Tensor flat = item.value().reshape({-1});
    Tensor host = empty({flat.numel()}, flat.dtype());
    for (std::int64_t i = 0; i < flat.numel(); ++i) host[i] = flat[i].item();
    saved.insert(item.key(), host.view(item.value().sizes()));
  }
  save_file(saved, path);
}
