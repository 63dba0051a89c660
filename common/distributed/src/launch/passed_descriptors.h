// SPDX-License-Identifier: MIT
// File descriptors that one process passes to another.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "base/descriptor.h"

namespace d2l::launch {

/// Sends a text and at most 250 descriptors over a socket of kind SOCK_SEQPACKET; whether that succeeded.
bool send_descriptors(int socket, const std::vector<int>& descriptors, const std::string& text);

struct Passed {
  std::string text;  ///< at most 2000 bytes; empty if none came
  std::vector<d2l::detail::Descriptor> descriptors;
};

/// What came within the patience. The system leaves out descriptors for which this process has no room.
Passed receive_descriptors(int socket, std::chrono::milliseconds patience);

}  // namespace d2l::launch
