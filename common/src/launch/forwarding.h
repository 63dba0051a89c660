// SPDX-License-Identifier: MIT
// What a rank prints, forwarded line by line.
#pragma once

#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "base/descriptor.h"

namespace d2l::launch {

/// One stream of a rank: passes whole lines on.
class Stream {
 public:
  Stream(d2l::detail::Descriptor from, std::FILE* to, std::string prefix);
  [[nodiscard]] int descriptor() const { return from_.get(); }
  /// Forwards what is there without waiting.
  void forward();
  /// Forwards the last line, also if it has no end.
  void close();

 private:
  void pass(const char* bytes, std::size_t count);
  void flush();

  d2l::detail::Descriptor from_;
  std::FILE* to_;
  std::string prefix_;
  std::string line_;
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
