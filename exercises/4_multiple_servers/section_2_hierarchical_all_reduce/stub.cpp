// SPDX-License-Identifier: MIT
#include "exercise.h"

using namespace d2l;

void hierarchical_all_reduce(Tensor& data, int ranks_per_server) {
  // TODO: first within each server, then between the servers, then within each server
  // again.
  static_cast<void>(data);
  static_cast<void>(ranks_per_server);
}
