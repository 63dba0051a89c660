// SPDX-License-Identifier: MIT
// Errors that end the runner.
#pragma once

#include <stdexcept>
#include <string>

namespace d2l::runner {

/// Ends the runner with a message for the user and an exit code.
class Stop : public std::runtime_error {
 public:
  Stop(int code, const std::string& message) : std::runtime_error(message), code_(code) {}
  [[nodiscard]] int code() const noexcept { return code_; }

 private:
  int code_;
};

inline constexpr int failed = 1;       ///< the command was valid but did not succeed
inline constexpr int wrong_usage = 2;  ///< the user must change the command

}  // namespace d2l::runner
