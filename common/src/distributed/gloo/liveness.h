// SPDX-License-Identifier: MIT
// Liveness: why a group fails, as far as the ranks know.
#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace d2l::distributed::detail {

class Liveness {
 public:
  virtual ~Liveness() = default;
  /// The first rank that died, or what the first rank that failed reported; waits up to `patience` for it, then names a
  /// rank that has left on purpose, if one has.
  virtual std::optional<std::string> first_cause(std::chrono::milliseconds patience) = 0;
  /// Passes a cause on to all ranks, so that they don't name another.
  virtual void report(const std::string& cause) noexcept = 0;
  /// This rank leaves on purpose.
  virtual void leave() noexcept = 0;
};

}  // namespace d2l::distributed::detail
