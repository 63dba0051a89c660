// SPDX-License-Identifier: MIT
// Discovery: the cards that this process can use, and why others cannot be; never throws.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "d2l/device.h"

namespace d2l::backend::cuda {

/// A physical card, as it stays for the life of the process.
struct Card {
  int ordinal = 0;  ///< CUDA's own number of it
  std::string name;
  std::string bus_id;
  std::int64_t total_memory = 0;  ///< bytes
  int multiprocessors = 0;
  int major = 0;
  int minor = 0;
  bool reads_pageable_memory = false;  ///< its copies may read pageable host memory after the call returned
};

/// What discovery found.
struct Discovery {
  std::vector<Card> cards;  ///< the usable ones
  DriverInfo driver;
};

/// Asked once, on first use; makes no context on a card that the binary was built for.
const Discovery& discovery() noexcept;

/// "13.0" of CUDA's 13000; empty for 0.
std::string cuda_version_text(int version);

/// What is between a program and a physical GPU; plain values, so that each diagnosis can be tested.
struct Circumstances {
  int status = 0;              ///< of cudaGetDeviceCount
  std::string status_text;     ///< its sentence
  int driver_cuda = 0;         ///< newest CUDA that the driver knows; 0 without a driver
  int toolkit = 0;             ///< CUDA of this build
  std::string driver;          ///< version of the driver; may be empty
  std::string visible_card;    ///< PCI address of a card that the system shows; empty for none
  bool hidden = false;         ///< CUDA_VISIBLE_DEVICES is set
  std::vector<Card> unusable;  ///< cards that the binary holds no code for
  std::vector<int> built_for;
};
/// Why there is no usable card, and the fix.
std::string diagnose(const Circumstances& circumstances);

}  // namespace d2l::backend::cuda
