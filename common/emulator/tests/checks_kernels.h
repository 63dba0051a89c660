// SPDX-License-Identifier: MIT
// Kernels with a planted fault, and right ones, with what must be reported.
#pragma once

#include <vector>

#include "d2l_emulator/vector_types.h"

namespace d2l::emulator::testing {

/// What a kernel of the tables gets.
struct Arguments {
  float* in;             ///< 256 floats
  float* out;            ///< 256 floats
  int* counts;           ///< 64 ints
  float* fresh;          ///< 256 floats, never written
  float* freed;          ///< freed
  float* host;           ///< not memory of the device
  unsigned char* bytes;  ///< 256
};

struct Planted {
  const char* name;
  void (*kernel)(Arguments);
  dim3 grid;
  dim3 block;
  const char* report;  ///< a regular expression; empty for a right kernel. LINE is the line below
  int line;
  unsigned dynamic_shared = 0;
};

const std::vector<Planted>& faulty_kernels();
const std::vector<Planted>& right_kernels();
const std::vector<Planted>& faulty_matrix_kernels();
const std::vector<Planted>& right_matrix_kernels();

}  // namespace d2l::emulator::testing

/// An entry of a table. `a` are the arguments, `i` the global index, `t` the thread's. The body must be on the line of
/// its entry.
#define PLANTED(NAME, GRID, BLOCK, DYNAMIC, REPORT, ...)  \
  {                                                       \
    NAME,                                                 \
        [](Arguments a) {                                 \
          const unsigned t = threadIdx.x;                 \
          const unsigned i = blockIdx.x * blockDim.x + t; \
          static_cast<void>(a);                           \
          static_cast<void>(i);                           \
          __VA_ARGS__                                     \
        },                                                \
        GRID, BLOCK, REPORT, __LINE__, DYNAMIC            \
  }
#define SHARED(name, ...) D2L_TEST_SHARED(name, __VA_ARGS__);
