// SPDX-License-Identifier: MIT
// Discovery: the cards that this process can use, and why others cannot be used.
#pragma once

#include <string>
#include <vector>

#include "d2l/device.h"

namespace d2l::backend::cuda {

/// A physical card.
struct Card {
  int ordinal = 0;                     ///< CUDA's number of the card
  DeviceProperties properties;         ///< without the values from NVML
  bool reads_pageable_memory = false;  ///< its copies may read pageable host memory after the call returned
  bool has_memory_pools = true;        ///< cudaMallocAsync works

  /// The compute capability without the dot: 90 for 9.0.
  [[nodiscard]] int capability() const noexcept { return properties.major * 10 + properties.minor; }
};

/// "13.0" for CUDA's 13000; empty for 0.
std::string cuda_version_text(int version);

/// The state of driver, toolkit and cards; plain values, so that each diagnosis can be tested without a card.
struct Circumstances {
  int status = 0;              ///< the result of cudaGetDeviceCount
  std::string status_text;     ///< CUDA's sentence for it
  int driver_cuda = 0;         ///< newest CUDA version that the driver supports; 0 without a driver
  int toolkit = 0;             ///< CUDA version of this build
  std::string driver;          ///< version of the driver; may be empty
  std::string visible_card;    ///< PCI address of a card that the operating system lists; empty for none
  bool hidden = false;         ///< CUDA_VISIBLE_DEVICES is set
  std::vector<Card> unusable;  ///< cards without memory pools, or for which the binary holds no code
  std::vector<int> built_for;  ///< compute capabilities of this build, such as 90
};

/// Why there is no usable card, and the fix.
std::string diagnose(const Circumstances& circumstances);

/// The result of the discovery.
struct Discovery {
  std::vector<Card> cards;  ///< the usable cards
  DriverInfo driver;
};

/// Runs the discovery on first use. It creates no context on a card for which the binary holds code.
const Discovery& discovery() noexcept;

// NVML: the driver's management library, which reports load, temperature and power. It is optional and loaded at run
// time.

/// Fills in utilisation, temperature, power and power limit of the card at properties.bus_id; unknown values stay as
/// they are. CUDA and NVML number cards differently, so the PCI address identifies the card.
void read_telemetry(DeviceProperties& properties) noexcept;
/// The version of the driver, such as "570.86.10"; empty without NVML.
std::string nvml_driver_version() noexcept;

}  // namespace d2l::backend::cuda
