// SPDX-License-Identifier: MIT
// StreamRole: what the order of operations depends on in a stream.
#pragma once

#include <cstdint>
#include <string>

namespace d2l::emulator {

struct JointOperation;

struct StreamRole {
  std::uint64_t id = 0;  ///< unique in the process
  int device = 0;
  bool blocking = true;             ///< waits for the default stream, and the default stream for it
  bool is_default = false;          ///< the legacy default stream
  bool compared = true;             ///< false: something else adds work, too
  bool of_graph = false;            ///< a part of a graph, whose nodes wait only for each other
  JointOperation* joint = nullptr;  ///< of which the operations are parts; they run where they are added
  std::string text;                 ///< "stream 1 (cudaStreamCreate at x.cu:3)"
};

}  // namespace d2l::emulator
