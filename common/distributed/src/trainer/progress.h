// SPDX-License-Identifier: MIT
// The progress of a trainer: a bar on a terminal, and a line at the end of each epoch.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "d2l/caller.h"

namespace d2l::detail {

/// The progress of one epoch; the destructor erases the bar.
class EpochProgress {
 public:
  /// `title` is "epoch 1/3"; the epoch has `steps` steps. A silent one prints nothing.
  EpochProgress(std::string title, std::int64_t steps, Caller caller, bool silent = false);
  ~EpochProgress();
  EpochProgress(const EpochProgress&) = delete;
  EpochProgress& operator=(const EpochProgress&) = delete;

  /// Counts a step, which has been issued but may not be finished.
  void step();
  /// Ends the epoch and prints its line: the title and `summary`.
  void finish(const std::string& summary);

 private:
  void draw();
  void erase() noexcept;

  std::string title_;
  std::int64_t steps_;
  Caller caller_;
  bool silent_;
  bool on_terminal_;
  bool drawn_ = false;
  std::int64_t done_ = 0;
  std::chrono::steady_clock::time_point next_;
};

/// "epoch 1/3  [########            ] 40 %".
std::string bar_text(const std::string& title, std::int64_t done, std::int64_t steps);

}  // namespace d2l::detail
