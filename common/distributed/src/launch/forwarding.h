// SPDX-License-Identifier: MIT
// What a rank prints, forwarded line by line; to a terminal also a line that is not ended soon, such as a prompt.
#pragma once

#include <array>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "base/descriptor.h"

namespace d2l::launch {

/// One stream of a rank: passes lines on.
class Stream {
 public:
  /// After this time a terminal shows a line that is not ended.
  static constexpr std::chrono::milliseconds patience{200};

  Stream(d2l::detail::Descriptor from, std::FILE* to, std::string prefix);
  [[nodiscard]] int descriptor() const { return from_.get(); }
  /// Forwards what is there without waiting.
  void forward();
  /// Forwards a line that has waited for its end for so long.
  void forward_late();
  /// Forwards the last line, also if it has no end.
  void close();

 private:
  void pass(const char* bytes, std::size_t count);
  void flush();

  d2l::detail::Descriptor from_;
  std::FILE* to_;
  std::string prefix_;
  int number_;                                     ///< of all streams
  bool terminal_;                                  ///< to_ is one
  std::string line_;                               ///< what is not yet passed on
  std::chrono::steady_clock::time_point since_{};  ///< when its first byte came
};

/// Waits up to `milliseconds` for output of these streams, and forwards it.
void forward(const std::vector<Stream*>& streams, int milliseconds);

/// A pipe.
struct Pipe {
  d2l::detail::Descriptor read;
  d2l::detail::Descriptor write;
};

/// A new pipe; Problem if there is no descriptor for it.
Pipe make_pipe();

}  // namespace d2l::launch
