// SPDX-License-Identifier: MIT
// What a trainer says while it works: a bar on a terminal, and a line at the end of each epoch everywhere.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "d2l/caller.h"

namespace d2l::detail {

/// The progress of one epoch. The bar goes away with it, however the epoch ends.
class EpochProgress {
 public:
  /// `title` is "epoch 1/3"; the epoch has `steps` steps.
  EpochProgress(std::string title, std::int64_t steps, Caller caller);
  ~EpochProgress();
  EpochProgress(const EpochProgress&) = delete;
  EpochProgress& operator=(const EpochProgress&) = delete;

  /// One step was issued; its device may still be at work.
  void step();
  /// The epoch is over; `summary` follows the title on its line.
  void finish(const std::string& summary);

 private:
  void draw();
  void erase() noexcept;

  std::string title_;
  std::int64_t steps_;
  Caller caller_;
  bool on_terminal_;
  bool drawn_ = false;
  std::int64_t done_ = 0;
  std::chrono::steady_clock::time_point next_;
};

/// "epoch 1/3  [########            ] 40 %".
std::string bar_text(const std::string& title, std::int64_t done, std::int64_t steps);

}  // namespace d2l::detail
