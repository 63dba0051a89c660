// SPDX-License-Identifier: MIT
// Side: one of the libraries compared, in plain C, because each is compiled in its own way.
#pragma once

#include <cstdint>

namespace d2l::benchmarks {

/// The same work, done by one library. `work` is a name that works.h knows; `size` its n.
struct Side {
  const char* name;
  void (*set_threads)(int count);
  /// Makes the operands; null when the side has no such work.
  void* (*prepare)(const char* work, std::int64_t size);
  /// Does the work once.
  void (*run)(void* state);
  /// Does the work once more and reads one number of its result.
  double (*result)(void* state);
  void (*finish)(void* state);
};

}  // namespace d2l::benchmarks

extern "C" {
const d2l::benchmarks::Side* d2l_side();
const d2l::benchmarks::Side* libtorch_side();     // null where LibTorch is not installed
const d2l::benchmarks::Side* vector_loop_side();  // the machine's own vector instructions, without a library
}
