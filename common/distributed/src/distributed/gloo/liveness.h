// SPDX-License-Identifier: MIT
// Liveness: why a group fails, as far as the ranks know.
#pragma once

#include <chrono>
#include <optional>
#include <set>
#include <string>

#include "distributed/engine/roll_call.h"

namespace d2l::distributed::detail {

class Liveness {
 public:
  virtual ~Liveness() = default;
  /// The first rank that died, or what the first rank that failed reported; waits up to `patience` for it.
  virtual std::optional<std::string> first_cause(std::chrono::milliseconds patience) = 0;
  /// The ranks that have left on purpose.
  virtual std::set<int> left() = 0;
  /// Says that this rank has waited in vain, and waits for the verdict of the ranks' RollCall, or for another cause;
  /// nullopt if there is no place left that hears the ranks.
  virtual std::optional<std::string> call_roll(const Stuck& stuck) = 0;
  /// Passes a cause on to all ranks, so that they don't name another.
  virtual void report(const std::string& cause) noexcept = 0;
  /// This rank leaves on purpose.
  virtual void leave() noexcept = 0;
};

}  // namespace d2l::distributed::detail
