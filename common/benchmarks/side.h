// SPDX-License-Identifier: MIT
// Side: one of the compared libraries, as a C interface, because each is compiled differently.
#pragma once

#include <cstdint>

namespace d2l::benchmarks {

/// The work of one library. `work` is a name in works.h; `size` is its n.
struct Side {
  const char* name;
  void (*set_threads)(int count);
  /// Creates the operands; null if the side has no such work.
  void* (*prepare)(const char* work, std::int64_t size);
  /// Does the work once.
  void (*run)(void* state);
  void (*finish)(void* state);
};

}  // namespace d2l::benchmarks

extern "C" {
const d2l::benchmarks::Side* d2l_side();
const d2l::benchmarks::Side* libtorch_side();     // null without LibTorch
const d2l::benchmarks::Side* vector_loop_side();  // a vector loop without a library
}
