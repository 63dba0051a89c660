// SPDX-License-Identifier: MIT
// What the runner says instead of going on, and the exit code that goes with it.
#pragma once

#include <stdexcept>
#include <string>

namespace d2l::runner {

/// Ends the runner: a message for the user, and an exit code.
class Stop : public std::runtime_error {
 public:
  Stop(int code, const std::string& message) : std::runtime_error(message), code_(code) {}
  [[nodiscard]] int code() const noexcept { return code_; }

 private:
  int code_;
};

inline constexpr int failed = 1;       ///< something that should work did not
inline constexpr int wrong_usage = 2;  ///< what the user asked for makes no sense here

}  // namespace d2l::runner
