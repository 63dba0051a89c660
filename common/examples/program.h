// SPDX-License-Identifier: MIT
/// @file
/// What the programs share: their arguments, and an error as a message and an exit code.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "d2l/d2l.h"

namespace d2l::examples {

/// The arguments of a program, with its defaults.
struct Settings {
  std::string device;           ///< "cpu", "cuda" or "cuda:1"; empty for the first GPU, or the CPU without one
  int epochs = 1;               ///< how often it trains on all examples
  std::int64_t examples = 0;    ///< how many it draws to train on
  std::int64_t batch_size = 1;  ///< the examples of a step
  double lr = 0.1;              ///< the learning rate
  std::uint64_t seed = 1;       ///< of parameters, examples and their order
  std::int64_t width = 0;       ///< of the first layers; 0 in a program that has no such argument

  /// The device that was chosen; DeviceError for a text that names none.
  [[nodiscard]] Device chosen_device() const { return device.empty() ? try_gpu() : Device(device); }
};

/// Reads the arguments, calls `train` and returns the exit code: 0, or 2 after a message for arguments that are wrong
/// and for an error of `train`.
int run_program(int count, char** words, const std::string& description, Settings settings,
                const std::function<void(const Settings&)>& train);

}  // namespace d2l::examples
